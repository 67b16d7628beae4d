internal import Glibc

/// The running process: its environment, its output and its end.
public enum Process {
    /// The value of an environment variable, nil when it is not set or empty.
    public static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// The process's number.
    public static var id: Int32 { getpid() }

    /// The name of the user that it runs as; nil for one without.
    public static var userName: String? {
        // Safe because the entry is copied before anything else asks for one; programs ask on one thread only.
        guard let entry = unsafe getpwuid(getuid()), let name = unsafe entry.pointee.pw_name else { return nil }
        return unsafe String(cString: name)
    }

    /// The number of the user that it acts as.
    public static var effectiveUser: UInt32 { geteuid() }

    /// Asks another process to read its configuration again (SIGHUP).
    public static func reload(_ id: Int32) throws(SystemFailure) {
        if kill(id, SIGHUP) != 0 { throw .last }
    }

    /// Writes a line to standard error in one call, so that lines of several threads don't mix.
    public static func report(_ line: String) {
        // A closed standard error leaves nowhere to report that.
        try? File.write(Array((line + "\n").utf8), to: STDERR_FILENO)
    }

    /// Writes text to standard output.
    public static func output(_ text: String) throws(SystemFailure) {
        try File.write(Array(text.utf8), to: STDOUT_FILENO)
    }

    /// Ends the process at once. Libraries do not clean up before (`atexit(3)`): other threads may still use them.
    public static func end(status: Int32) -> Never {
        _exit(status)
    }

    /// Lets the process open as many files as it may have at most (`RLIMIT_NOFILE`), and returns how many these are.
    @discardableResult
    public static func raiseFileLimit() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
