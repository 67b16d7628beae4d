/// Formatting of text for terminals.
public enum Shown {
    /// Returns a text on one line without control characters, so that untrusted text cannot control the terminal.
    public static func line(_ text: some StringProtocol) -> String {
        var line = ""
        for character in text {
            // Format characters such as direction marks have no width and would move their neighbors.
            let isPlain = character.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .surrogate, .lineSeparator, .paragraphSeparator: false
                case .format: scalar == "\u{200D}"
                default: true
                }
            }
            line.append(isPlain ? character : character == "\t" ? " " : "·")
        }
        return line
    }

    /// Returns the number of columns that most terminals use for a text.
    public static func width(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + width($1) } }

    /// Returns the longest prefix of a text that fits into a number of columns.
    public static func fitting(_ text: some StringProtocol, into columns: Int) -> String {
        var (fitting, used) = ("", 0)
        for character in text {
            used += width(character)
            if used > columns { break }
            fitting.append(character)
        }
        return fitting
    }

    private static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
