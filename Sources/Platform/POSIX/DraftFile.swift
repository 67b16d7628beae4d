internal import Glibc

/// A private file that is written in parts, and has no name or a temporary one.
public final class DraftFile: Sendable {
    /// The descriptor, open for reading and writing; closed with the last reference.
    public let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Creates a file without a name, which the system deletes when it is closed, however this process ends.
    public static func unnamed() throws(SystemFailure) -> DraftFile {
        let folder = Process.variable("TMPDIR") ?? "/tmp"
        let (file, path) = try named("\(folder)/almanac-")
        unsafe unlink(path)
        return file
    }

    /// Creates a new file that only its owner can read. Its path is a beginning, random characters and an ending.
    public static func named(
        _ beginning: String, ending: String = ""
    ) throws(SystemFailure) -> (file: DraftFile, path: String) {
        let path = beginning + String(UInt64.random(in: .min ... .max), radix: 36) + ending
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw .last }
        return (DraftFile(descriptor: descriptor), path)
    }

    public func write(_ text: String) throws(SystemFailure) { try write(Array(text.utf8)) }

    /// Writes bytes at the current offset.
    public func write(_ bytes: [UInt8]) throws(SystemFailure) { try File.write(bytes, to: descriptor) }

    /// Sets the permissions as in `chmod(2)`, regardless of the umask.
    public func setPermissions(_ permissions: UInt32) throws(SystemFailure) {
        guard fchmod(descriptor, permissions) == 0 else { throw .last }
    }

    /// Sets the time of the last modification, in seconds since 1970.
    public func setModificationTime(_ seconds: Int) throws(SystemFailure) {
        let time = timespec(tv_sec: seconds, tv_nsec: 0)
        guard unsafe futimens(descriptor, [time, time]) == 0 else { throw .last }
    }

    public var size: Int {
        var information = stat()
        return unsafe fstat(descriptor, &information) == 0 ? Int(information.st_size) : 0
    }

    /// Moves the offset of the descriptor to the beginning, for the next reader.
    public func rewind() { lseek(descriptor, 0, SEEK_SET) }

    /// Returns the contents without moving the offset of the descriptor.
    public func contents(limit: Int = 1 << 20) -> [UInt8] {
        var contents: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while contents.count < limit {
            let count = unsafe pread(descriptor, &chunk, chunk.count, contents.count)
            if count <= 0 { break }
            contents += chunk[..<count]
        }
        return contents
    }

    /// Renames the file. A durable file is flushed to the disk first.
    public func publish(_ path: String, as name: String, isDurable: Bool = true) throws(SystemFailure) {
        if isDurable, fsync(descriptor) != 0 { throw .last }
        if unsafe rename(path, name) != 0 { throw .last }
    }
}
