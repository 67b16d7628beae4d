internal import AlmanacPOSIX
// Safe because nothing here changes the environment, which is all that `environ` is read for.
@unsafe @preconcurrency internal import Glibc

/// Starting and reaping processes (`posix_spawn(3)`, `waitid(2)`).
enum Spawn {
    /// Starts a program in a process group of its own, with no signal blocked or ignored.
    static func start(
        _ program: String, _ arguments: [String], environment: [String: String],
        descriptors: (input: Int32, output: Int32, errors: Int32)
    ) throws(SystemFailure) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptors.input, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptors.output, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptors.errors, STDERR_FILENO)
        return try unsafe start(program, arguments, environment: environment, &actions, Int16(POSIX_SPAWN_SETPGROUP))
    }

    /// Starts a program in a session of its own, whose terminal is the one at a path.
    static func start(
        _ program: String, _ arguments: [String], environment: [String: String],
        onTerminal path: String
    ) throws(SystemFailure) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that the leader of a session opens becomes that session's.
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDWR, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        return try unsafe start(program, arguments, environment: environment, &actions, newSession)
    }

    /// `POSIX_SPAWN_SETSID` of `<spawn.h>`, which is declared for GNU's dialect of C only.
    private static let newSession: Int16 = 0x80

    private static func start(
        _ program: String, _ arguments: [String], environment: [String: String],
        _ actions: inout posix_spawn_file_actions_t, _ group: Int16
    ) throws(SystemFailure) -> Int32 {
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = group | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        unsafe posix_spawnattr_setflags(&attributes, flags)

        var pid: pid_t = 0
        let code = unsafe withTexts([program] + arguments) { argv in
            unsafe withTexts(variables(adding: environment)) { envp in
                unsafe posix_spawnp(&pid, program, &actions, &attributes, argv, envp)
            }
        }
        if code != 0 { throw SystemFailure(code: code) }
        return pid
    }

    /// Blocks until a child has ended, and leaves it to be reaped.
    static func awaitEnd(of pid: Int32) {
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }

    /// The status of a child that has ended, as a shell says it; afterwards its id may belong to another process.
    static func reap(_ pid: Int32) -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    /// This process's environment with some variables added or replaced, as `NAME=value`.
    private static func variables(adding additions: [String: String]) -> [String] {
        var variables: [String] = []
        var next = unsafe environ
        while let text = unsafe next.pointee {
            let variable = unsafe String(cString: text)
            let name = String(variable.prefix { $0 != "=" })
            if additions[name] == nil { variables.append(variable) }
            unsafe next += 1
        }
        return variables + additions.map { "\($0.key)=\($0.value)" }
    }

    /// Lends texts as an array of C strings that ends with a null pointer.
    private static func withTexts(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32
    ) -> Int32 {
        var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        return unsafe body(&pointers)
    }
}
