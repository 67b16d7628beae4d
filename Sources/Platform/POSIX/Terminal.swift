internal import Glibc

public enum Terminal {
    public static var isInput: Bool { isatty(STDIN_FILENO) == 1 }
    public static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }
    public static var isErrors: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes text to standard error without a line break, for text that is soon overwritten.
    public static func show(_ text: String) { try? File.write(Array(text.utf8), to: STDERR_FILENO) }

    /// Reads standard input to its end. Input larger than the limit, in bytes, is refused with `EFBIG`.
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
