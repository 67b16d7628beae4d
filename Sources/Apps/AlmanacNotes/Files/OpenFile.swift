internal import AlmanacClientRuntime

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
#if canImport(Glibc)
    internal import Glibc
#endif

/// An open file, closed with its owner.
struct OpenFile: ~Copyable {
    private let descriptor: Int32
    private let path: String

    /// Opens a file for reading.
    init(reading path: String) throws(FileFailure) {
        // Without O_NONBLOCK, opening a pipe could block forever.
        try self.init(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }

    /// Opens a file for writing, and creates it for its owner alone if it is missing.
    init(writing path: String) throws(FileFailure) { try self.init(path, O_WRONLY | O_CREAT | O_CLOEXEC) }

    private init(_ path: String, _ flags: Int32) throws(FileFailure) {
        descriptor = unsafe open(path, flags, 0o600)
        self.path = path
        if descriptor < 0 { throw Self.failure(path) }
    }

    deinit { _ = close(descriptor) }

    /// Reads bytes at an offset. Returns fewer only at the end of the file.
    func read(at offset: Int64, upTo limit: Int) throws(FileFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let part = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(descriptor, buffer.baseAddress! + count, limit - count, off_t(offset) + off_t(count))
            }
            if part < 0 {
                if errno == EINTR { continue }
                throw Self.failure(path)
            }
            if part == 0 { break }
            count += part
        }
        bytes.removeLast(limit - count)
        return bytes
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(FileFailure) {
        var count = 0
        while count < bytes.count {
            let part = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    descriptor, buffer.baseAddress! + count, bytes.count - count, off_t(offset) + off_t(count))
            }
            if part < 0 {
                if errno == EINTR { continue }
                throw Self.failure(path)
            }
            count += part
        }
    }

    /// Returns the number of bytes.
    func length() throws(FileFailure) -> Int64 {
        let length = lseek(descriptor, 0, SEEK_END)
        if length < 0 { throw Self.failure(path) }
        return Int64(length)
    }

    func sync() throws(FileFailure) { guard fsync(descriptor) == 0 else { throw Self.failure(path) } }

    /// Returns the failure to read bytes of a file that another program has made shorter.
    static func shortened(_ path: String) -> FileFailure { FileFailure(path: path, code: EIO) }

    /// Returns the failure of the last system call.
    static func failure(_ path: String) -> FileFailure { FileFailure(path: path, code: errno) }
}

/// A failure of a system call on a file.
struct FileFailure: Error, CustomStringConvertible {
    let path: String
    /// The `errno`.
    let code: Int32

    // Safe because strerror returns a null-terminated string.
    var description: String { "\(path): \(unsafe String(cString: strerror(code)))" }
}

extension NotesFileFailure {
    init(_ failure: FileFailure) {
        self =
            switch failure.code {
            case ENOSPC, EDQUOT: .full("\(failure)")
            case EROFS: .readOnly("\(failure)")
            case ENOENT, EACCES, EPERM: .cannotOpen("\(failure)")
            default: .failed("\(failure)")
            }
    }
}
