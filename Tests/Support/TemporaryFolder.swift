public import AlmanacPOSIX
internal import Glibc

/// A folder for a test's files. It is removed with its contents when the last reference is released.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws(SystemFailure) {
        path = "/tmp/almanac-test-" + String(UInt64.random(in: .min ... .max), radix: 36)
        if unsafe mkdir(path, 0o700) != 0 { throw .last }
    }

    deinit { Self.remove(path) }

    private static func remove(_ folder: String) {
        for name in (try? File.names(inFolder: folder)) ?? [] {
            let path = "\(folder)/\(name)"
            // Unlinking fails for a folder only. A link to a folder is unlinked, not followed.
            if unsafe unlink(path) != 0, errno == EISDIR { remove(path) }
        }
        unsafe rmdir(folder)
    }

    /// Writes a file, replacing an existing one.
    ///
    /// - Returns: the file's full path.
    @discardableResult
    public func write(_ name: String, _ contents: some Sequence<UInt8>) throws(SystemFailure) -> String {
        let file = "\(path)/\(name)"
        unsafe unlink(file)
        try File.createPrivate(file, contents: Array(contents))
        return file
    }
}
