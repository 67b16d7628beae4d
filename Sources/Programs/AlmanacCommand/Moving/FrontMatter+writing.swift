extension FrontMatter {
    /// The file that begins with these lines.
    static func joined(_ lines: [String], _ rest: String) -> String {
        "---\n" + lines.map { $0 + "\n" }.joined() + "---\n\n" + rest
    }

    private static let words: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]

    /// A text in one line that every reader of YAML takes for this text.
    static func scalar(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        let startsWell = scalars.first.map { "a"..."z" ~= $0 || "A"..."Z" ~= $0 || $0.value >= 0xA1 } ?? false
        let endsWell = scalars.last != ":" && scalars.last != " "
        if startsWell, endsWell, scalars.allSatisfy(isPrintable), !breaksPlain(scalars),
            !words.contains(text.lowercased())
        {
            return text
        }
        return "\"" + scalars.map { quoted($0) }.joined() + "\""
    }

    private static func quoted(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": return "\\\(scalar)"
        case "\n": return "\\n"
        case "\t": return "\\t"
        case _ where isPrintable(scalar): return String(scalar)
        default: return "\\u" + hexadecimal(scalar.value, 4, uppercase: false)
        }
    }

    static func hexadecimal(_ value: UInt32, _ digits: Int, uppercase: Bool) -> String {
        let text = String(value, radix: 16, uppercase: uppercase)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// Whether a plain text would end, or begin a comment, somewhere inside.
    static func breaksPlain(_ scalars: [Unicode.Scalar]) -> Bool {
        zip(scalars, scalars.dropFirst()).contains { $0 == ":" && $1 == " " || $0 == " " && $1 == "#" }
    }

    /// Characters that YAML takes as they are, apart from tabs and line breaks.
    static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0x10000...0x10FFFF: true
        case 0xA1...0xD7FF: scalar != "\u{2028}" && scalar != "\u{2029}"
        case 0xE000...0xFFFD: scalar != "\u{FEFF}"
        default: false
        }
    }
}
