internal import Glibc

/// The signals that a server is steered with, taken one by one on a thread of its own instead of in handlers.
public enum Signal: Sendable {
    /// SIGTERM or SIGINT: finish what is in flight and end.
    case terminate
    /// SIGHUP: read the configuration again.
    case reload

    /// Blocks the signals in the calling thread and in every thread that it starts later.
    ///
    /// To be called first thing in a program, before any other thread exists, so that `next()` alone receives them.
    /// SIGPIPE is ignored: a write to a closed connection is an error, not an end of the process.
    public static func takeOver() {
        var set = Self.taken
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Blocks until the process is sent one of the signals.
    public static func next() -> Signal {
        var set = Self.taken
        var number: Int32 = 0
        unsafe sigwait(&set, &number)
        return number == SIGHUP ? .reload : .terminate
    }

    private static var taken: sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&set, number) }
        return set
    }

    /// Makes a write to a closed pipe or connection an error (`EPIPE`) instead of the end of the process.
    public static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Makes a write to a closed pipe or connection on this thread an error (`EPIPE`), whatever other threads do.
    public static func blockBrokenPipes() {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }
}
