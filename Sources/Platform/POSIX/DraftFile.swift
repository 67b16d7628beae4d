internal import Glibc

/// A private file that is written piece by piece, and has a name only for as long as its owner wants it to.
public final class DraftFile: Sendable {
    /// Open for reading and writing, closed with the last reference.
    public let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// A file without a name, which is gone when it is closed, however this process ends.
    public static func unnamed() throws(SystemFailure) -> DraftFile {
        let folder = Process.variable("TMPDIR") ?? "/tmp"
        let (file, path) = try named("\(folder)/almanac-")
        unsafe unlink(path)
        return file
    }

    /// A new file that only its owner can read.
    ///
    /// - Parameter beginning: of its path; random letters follow.
    public static func named(
        _ beginning: String, ending: String = ""
    ) throws(SystemFailure) -> (file: DraftFile, path: String) {
        let path = beginning + String(UInt64.random(in: .min ... .max), radix: 36) + ending
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw .last }
        return (DraftFile(descriptor: descriptor), path)
    }

    /// Appends a text at the place that was last written or read.
    public func write(_ text: String) throws(SystemFailure) {
        try write(Array(text.utf8))
    }

    /// Appends bytes at the place that was last written or read.
    public func write(_ bytes: [UInt8]) throws(SystemFailure) {
        try File.write(bytes, to: descriptor)
    }

    /// How many bytes it has.
    public var size: Int {
        var information = stat()
        return unsafe fstat(descriptor, &information) == 0 ? Int(information.st_size) : 0
    }

    /// Goes back to its start, for whoever reads through the descriptor next.
    public func rewind() {
        lseek(descriptor, 0, SEEK_SET)
    }

    /// All of it; what is read next through the descriptor stays the same.
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

    /// Puts the file, which has one name, under another.
    ///
    /// - Parameter isDurable: whether its contents are on the disk before.
    public func publish(_ path: String, as name: String, isDurable: Bool = true) throws(SystemFailure) {
        if isDurable, fsync(descriptor) != 0 { throw .last }
        if unsafe rename(path, name) != 0 { throw .last }
    }
}
