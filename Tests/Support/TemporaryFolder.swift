public import AlmanacPOSIX
internal import Glibc

/// A folder for a test's files, removed with the files in it when the last reference is gone.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws(SystemFailure) {
        path = "/tmp/almanac-test-" + String(UInt64.random(in: .min ... .max), radix: 36)
        if unsafe mkdir(path, 0o700) != 0 { throw .last }
    }

    deinit {
        Self.remove(path)
    }

    private static func remove(_ folder: String) {
        for name in (try? File.names(inFolder: folder)) ?? [] {
            let path = "\(folder)/\(name)"
            // A folder is no file to unlink, and a link to one is not looked into.
            if unsafe unlink(path) != 0, errno == EISDIR { remove(path) }
        }
        unsafe rmdir(folder)
    }

    /// Writes a file, in place of one that is there already.
    ///
    /// - Returns: its full path.
    @discardableResult
    public func write(_ name: String, _ contents: some Sequence<UInt8>) throws(SystemFailure) -> String {
        let file = "\(path)/\(name)"
        unsafe unlink(file)
        try File.createPrivate(file, contents: Array(contents))
        return file
    }
}
