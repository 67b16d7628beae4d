internal import Glibc

extension Signal {
    /// Makes a write to a closed pipe or connection an error (`EPIPE`) instead of the end of the process.
    public static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }
}
