internal import Glibc

/// The control signals of a server, received one by one on a dedicated thread instead of in handlers.
public enum Signal: Sendable {
    /// SIGTERM or SIGINT: finish requests in flight and end.
    case terminate
    /// SIGHUP: reload the configuration.
    case reload

    /// Blocks the signals in the calling thread and in every thread that it starts later, and ignores SIGPIPE.
    ///
    /// A program must call this before it starts any thread, so that only `next()` receives the signals. With SIGPIPE
    /// ignored, a write to a closed connection is an error and does not end the process.
    public static func takeOver() {
        var set = Self.taken
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Blocks until the process receives one of the signals.
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

    /// Ignores SIGPIPE: a write to a closed pipe or connection becomes an error (`EPIPE`).
    public static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Blocks SIGPIPE on this thread only: a write to a closed pipe or connection becomes an error (`EPIPE`).
    public static func blockBrokenPipes() {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }
}
