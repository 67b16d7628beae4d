/// Text as a terminal shows it.
public enum Shown {
    /// A text on one line in which nothing is a command to the terminal, wherever it comes from.
    public static func line(_ text: some StringProtocol) -> String {
        var line = ""
        for character in text {
            // Directions and the like have no width, and would move what stands beside them.
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

    /// How many columns a text takes, as most terminals have it.
    public static func width(_ text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + width($1) }
    }

    /// The beginning of a text that fits into some columns.
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
