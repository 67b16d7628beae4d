internal import Glibc

/// A system call that failed, with the error number of `errno(3)`.
public struct SystemFailure: Error, Equatable, Sendable, CustomStringConvertible {
    public let code: Int32

    public init(code: Int32) {
        self.code = code
    }

    /// The failure of the system call just made on this thread.
    public static var last: SystemFailure { SystemFailure(code: errno) }

    /// The system's name for the error: `No such file or directory`.
    public var description: String {
        // Safe because strerror returns a text that ends with a zero byte; glibc's is thread-safe for known numbers.
        unsafe String(cString: strerror(code))
    }

    /// Whether nobody reads any more what was written.
    public var isBrokenPipe: Bool { code == EPIPE }
    /// Whether there is no file of that name.
    public var isMissingFile: Bool { code == ENOENT }
    /// Whether this user may not do that.
    public var isNotPermitted: Bool { code == EACCES || code == EPERM }
}
