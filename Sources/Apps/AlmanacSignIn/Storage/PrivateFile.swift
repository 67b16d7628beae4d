#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
#if canImport(Glibc)
    internal import Glibc
#endif

/// Files that only their owner can read and that are replaced atomically.
enum PrivateFile {
    /// The upper bound of a file's size, in bytes. A larger file was not written by this library.
    private static let sizeLimit = 1 << 20

    /// Reads a file. Returns nil if there is no file.
    static func read(_ path: String) throws(SignInFailure) -> [UInt8]? {
        // Without O_NONBLOCK, opening a pipe could block forever.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 {
            if errno == ENOENT { return nil }
            throw failure(path)
        }
        defer { _ = close(descriptor) }
        var information = stat()
        guard unsafe fstat(descriptor, &information) == 0 else { throw failure(path) }
        guard information.st_mode & S_IFMT == S_IFREG, information.st_size <= sizeLimit else {
            throw .storage("\(path): this is not a sign-in file")
        }
        guard information.st_mode & 0o077 == 0 else {
            throw .storage(
                "\(path): other users can read it; run chmod 600, or sign in again if someone may have read it")
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe systemRead(descriptor, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(path)
            }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
    }

    /// Replaces a file after the new content is synced to disk.
    static func replace(_ path: String, _ bytes: [UInt8]) throws(SignInFailure) {
        let draft = path + "." + UUID().uuidString
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw failure(path) }
        let isWritten = write(bytes, to: descriptor) && fsync(descriptor) == 0
        let failure = failure(path)
        _ = close(descriptor)
        guard isWritten, unsafe rename(draft, path) == 0 else {
            let failure = isWritten ? self.failure(path) : failure
            unsafe unlink(draft)
            throw failure
        }
        syncFolder(of: path)
    }

    static func remove(_ path: String) throws(SignInFailure) {
        if unsafe unlink(path) != 0, errno != ENOENT { throw failure(path) }
        syncFolder(of: path)
    }

    static func makeFolder(of path: String) throws(SignInFailure) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .storage("\(folder.path) cannot be created")
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Syncs the folder so that the new name survives a power loss. A failure is harmless, so ignore it.
    private static func syncFolder(of path: String) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        _ = close(descriptor)
    }

    static func failure(_ path: String) -> SignInFailure {
        // Safe because strerror returns a null-terminated string.
        .storage("\(path): \(unsafe String(cString: strerror(errno)))")
    }
}

// Members of the same names hide the system's functions inside the type.
private let systemRead = unsafe read
private let systemWrite = unsafe write
