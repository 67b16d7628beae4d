internal import Glibc

/// The current process: its environment, its output and its end.
public enum Process {
    /// Returns the value of an environment variable, or nil if it is unset or empty.
    public static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    public static var id: Int32 { getpid() }

    /// The name of the real user, or nil if the user has none.
    public static var userName: String? {
        // Safe because the entry is copied before the next call of getpwuid; programs call it on one thread only.
        guard let entry = unsafe getpwuid(getuid()), let name = unsafe entry.pointee.pw_name else { return nil }
        return unsafe String(cString: name)
    }

    public static var effectiveUser: UInt32 { geteuid() }

    /// Makes another process reload its configuration (SIGHUP).
    public static func reload(_ id: Int32) throws(SystemFailure) { if kill(id, SIGHUP) != 0 { throw .last } }

    /// Writes a line to standard error in one call, so that lines of several threads don't mix.
    public static func report(_ line: String) {
        // A failure is ignored, because it could only be reported to standard error.
        try? File.write(Array((line + "\n").utf8), to: STDERR_FILENO)
    }

    public static func output(_ text: String) throws(SystemFailure) { try output(Array(text.utf8)) }

    public static func output(_ bytes: [UInt8]) throws(SystemFailure) { try File.write(bytes, to: STDOUT_FILENO) }

    /// Ends the process at once, without `atexit(3)`, because other threads may still use the libraries.
    public static func end(status: Int32) -> Never { _exit(status) }

    /// Raises the limit on open files to its maximum (`RLIMIT_NOFILE`), and returns the new limit.
    @discardableResult public static func raiseFileLimit() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
