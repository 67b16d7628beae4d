internal import AlmanacPOSIX

/// The input files of commands.
enum InputFile {
    /// Reads a file to its end, or standard input for `-`.
    static func read(_ path: String) throws -> [UInt8] {
        let limit = 64 << 20
        do {
            return path == "-" ? try Terminal.readInput(limit: limit) : try File.read(path, limit: limit)
        } catch {
            throw CommandFailure(description: "\(path == "-" ? "standard input" : path): \(error)")
        }
    }

    /// Returns the text of a file without a byte-order mark; nil if the text is not UTF-8.
    static func text(_ bytes: [UInt8]) -> String? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return String(validating: bytes.starts(with: mark) ? bytes[3...] : bytes[...], as: UTF8.self)
    }

    /// Returns a text with LF in place of CR LF.
    static func withPlainLineBreaks(_ text: String) -> String {
        String(decoding: Array(text.utf8).replacing([13, 10], with: [10]), as: UTF8.self)
    }
}
