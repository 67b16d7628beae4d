internal import Glibc

/// A failed system call, with the error number of `errno(3)`.
public struct SystemFailure: Error, Equatable, Sendable, CustomStringConvertible {
    public let code: Int32

    public init(code: Int32) { self.code = code }

    public static var last: SystemFailure { SystemFailure(code: errno) }

    /// The system's name for the error: `No such file or directory`.
    public var description: String {
        // Safe because strerror returns a text that ends with a zero byte; glibc's is thread-safe for known numbers.
        unsafe String(cString: strerror(code))
    }

    /// True if the reading end of a pipe or connection is closed.
    public var isBrokenPipe: Bool { code == EPIPE }
    public var isMissingFile: Bool { code == ENOENT }
    /// True if the file system, or the user's quota of it, is full.
    public var isFullDisk: Bool { code == ENOSPC || code == EDQUOT }
    public var isReadOnlyFileSystem: Bool { code == EROFS }
    public var isNotPermitted: Bool { code == EACCES || code == EPERM }
}
