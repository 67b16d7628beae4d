// Safe because `environ` is only read, and no code in this process changes the environment.
@unsafe @preconcurrency internal import Glibc

/// A child process running another program.
public struct ChildProcess: Sendable {
    public let pid: Int32

    /// The process group of a child, which receives signals from its terminal.
    public enum Group: Sendable {
        case ofParent
        /// A new group.
        case own
        /// A new session, whose terminal at this path becomes the child's standard input, output and error.
        case session(terminal: String)
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: A path, or a name to be searched in `PATH`.
    ///   - variables: Variables added to this process's environment; they replace variables of the same name.
    ///   - descriptors: The child's descriptors by number, from standard input; nil inherits this process's own.
    public static func start(
        _ program: String, _ arguments: [String], variables: [String: String] = [:], descriptors: [Int32?] = [],
        group: Group = .ofParent
    ) throws(SystemFailure) -> ChildProcess {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in descriptors.enumerated() {
            guard let descriptor else { continue }
            // The duplicate is inherited, unlike the original with O_CLOEXEC, even if both numbers are the same.
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        if case .session(let terminal) = group {
            // The first terminal opened by a session leader becomes the session's terminal.
            unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, terminal, O_RDWR, 0)
            unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
            unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = group.flags | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        unsafe posix_spawnattr_setflags(&attributes, flags)
        var pid: pid_t = 0
        let code = unsafe withTexts([program] + arguments) { argv in
            unsafe withTexts(environment(adding: variables)) { envp in
                unsafe posix_spawnp(&pid, program, &actions, &attributes, argv, envp)
            }
        }
        if code != 0 { throw SystemFailure(code: code) }
        return ChildProcess(pid: pid)
    }

    /// Blocks until the program has ended. Returns its exit status, or 128 plus the number of the signal that ended it,
    /// as in a shell. Must be called once.
    public func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    /// Blocks until the program has ended, but leaves the process id in use until `wait()`.
    public func waitForEnd() {
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }

    /// Waits like `wait()`, and ignores Ctrl-C meanwhile, which the terminal also sends to the program.
    public func waitInForeground() -> Int32 {
        let before = (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN))
        defer {
            signal(SIGINT, before.0)
            signal(SIGQUIT, before.1)
        }
        return wait()
    }

    /// Returns this process's environment with variables added or replaced, as `NAME=value`.
    private static func environment(adding additions: [String: String]) -> [String] {
        var variables: [String] = []
        var next = unsafe environ
        while let text = unsafe next.pointee {
            let variable = unsafe String(cString: text)
            if additions[String(variable.prefix { $0 != "=" })] == nil { variables.append(variable) }
            unsafe next += 1
        }
        return variables + additions.map { "\($0.key)=\($0.value)" }
    }

    /// Calls a closure with an array of C strings that ends with a null pointer.
    private static func withTexts(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32
    ) -> Int32 {
        var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        return unsafe body(&pointers)
    }

    /// Runs a program without input. Returns its exit status, and its output and errors in the order written.
    public static func output(
        of program: String, _ arguments: [String], variables: [String: String] = [:]
    ) throws(SystemFailure) -> (status: Int32, text: String) {
        let (input, output) = (try DraftFile.unnamed(), try DraftFile.unnamed())
        let child = try start(
            program, arguments, variables: variables,
            descriptors: [input.descriptor, output.descriptor, output.descriptor])
        let status = child.wait()
        return (status, String(decoding: output.contents(limit: 1 << 20), as: UTF8.self))
    }

    /// Runs a program to its end, and passes each line of its standard output, with its line break, to a closure.
    /// Returns the exit status and the standard error.
    ///
    /// - Parameter descriptors: Further descriptors of the program, from number 3.
    public static func lines(
        of program: String, _ arguments: [String], variables: [String: String] = [:], descriptors: [Int32] = [],
        _ body: (ArraySlice<UInt8>) throws -> Void
    ) throws -> (status: Int32, errors: String) {
        let (input, errors) = (try DraftFile.unnamed(), try DraftFile.unnamed())
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw SystemFailure.last }
        let (source, sink) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(source) }
        let child: ChildProcess
        do {
            defer { close(sink) }
            child = try start(
                program, arguments, variables: variables,
                descriptors: [input.descriptor, sink, errors.descriptor] + descriptors)
        }
        let result = Result { try Self.split(source, body) }
        // After an early close, the signal ends the program without waiting for its next write.
        if case .failure = result { kill(child.pid, SIGTERM) }
        let status = child.wait()
        try result.get()
        return (status, String(decoding: errors.contents(limit: 1 << 20), as: UTF8.self))
    }

    private static func split(_ descriptor: Int32, _ body: (ArraySlice<UInt8>) throws -> Void) throws {
        var rest: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = unsafe read(descriptor, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemFailure.last
            }
            if count == 0 { break }
            var part = chunk[..<count]
            while let end = part.firstIndex(of: 10) {
                if rest.isEmpty {
                    try body(part[...end])
                } else {
                    rest += part[...end]
                    try body(rest[...])
                    rest.removeAll(keepingCapacity: true)
                }
                part = part[(end + 1)...]
            }
            rest += part
        }
        if !rest.isEmpty { try body(rest[...]) }
    }
}

extension ChildProcess.Group {
    fileprivate var flags: Int16 {
        switch self {
        case .ofParent: 0
        case .own: Int16(POSIX_SPAWN_SETPGROUP)
        // POSIX_SPAWN_SETSID of <spawn.h>, which is declared only for GNU's dialect of C.
        case .session: 0x80
        }
    }
}
