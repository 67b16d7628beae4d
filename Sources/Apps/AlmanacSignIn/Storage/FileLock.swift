#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
#if canImport(Glibc)
    internal import Glibc
#endif

/// A lock that one process, and one owner within it, holds at a time; the system takes it from a process that dies.
final class FileLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Opens the file of the lock, or makes it; nobody holds the lock yet.
    init(_ path: String) throws(SignInFailure) {
        self.path = path
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw PrivateFile.failure(path) }
    }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// - Returns: whether it was free.
    func take() throws(SignInFailure) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        if errno == EWOULDBLOCK || errno == EINTR { return false }
        throw PrivateFile.failure(path)
    }

    func release() {
        _ = flock(descriptor, LOCK_UN)
    }
}
