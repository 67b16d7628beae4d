internal import Glibc

/// A lock between processes on a file, which the system releases when its holder ends. See flock(2).
public final class FileLock: Sendable {
    private let descriptor: Int32

    /// Locks a file, which is created if it is missing.
    ///
    /// - Parameter isShared: true for a lock that any number of holders may share. It waits for the end of an exclusive
    ///   lock; an exclusive lock doesn't wait.
    /// - Throws: `isLocked` if an exclusive lock is wanted and another process holds a lock.
    public init(_ path: String, isShared: Bool) throws(SystemFailure) {
        // A shared lock needs no write access, which a file on a read-only file system lacks.
        descriptor = unsafe open(path, (isShared ? O_RDONLY : O_RDWR) | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw .last }
        while flock(descriptor, isShared ? LOCK_SH : LOCK_EX | LOCK_NB) != 0 {
            if errno != EINTR { throw .last }
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

extension SystemFailure {
    /// True if another process holds a lock.
    public var isLocked: Bool { code == EWOULDBLOCK }
}
