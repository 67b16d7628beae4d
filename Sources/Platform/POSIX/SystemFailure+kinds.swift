internal import Glibc

extension SystemFailure {
    /// Whether nobody reads any more what was written.
    public var isBrokenPipe: Bool { code == EPIPE }
    /// Whether there is no file of that name.
    public var isMissingFile: Bool { code == ENOENT }
    /// Whether this user may not do that.
    public var isNotPermitted: Bool { code == EACCES || code == EPERM }
}
