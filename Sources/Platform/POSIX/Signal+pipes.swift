internal import Glibc

extension Signal {
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
