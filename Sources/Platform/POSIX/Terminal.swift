internal import Glibc

/// The terminal that a person may sit at.
public enum Terminal {
    /// Whether standard input comes from a terminal.
    public static var isInput: Bool { isatty(STDIN_FILENO) == 1 }
    /// Whether standard output goes to a terminal.
    public static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }
    /// Whether standard error goes to a terminal.
    public static var isErrors: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes text to standard error as it is, with no line break added; for what is overwritten soon.
    public static func show(_ text: String) {
        try? File.write(Array(text.utf8), to: STDERR_FILENO)
    }

    /// Reads standard input to its end.
    ///
    /// - Parameter limit: more is refused with `EFBIG`; in bytes.
    public static func readInput(limit: Int) throws(SystemFailure) -> [UInt8] {
        var contents: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw .last
            }
            if count == 0 { return contents }
            contents += chunk[..<count]
            if contents.count > limit { throw SystemFailure(code: EFBIG) }
        }
    }
}
