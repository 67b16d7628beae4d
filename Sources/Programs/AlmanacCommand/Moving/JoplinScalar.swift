/// Texts in YAML as the library js-yaml writes them, with which Joplin does: plain if they can be, in single quotes
/// otherwise, blocks for long ones and several lines.
enum JoplinScalar {
    /// - Parameters:
    ///   - text: not empty.
    ///   - indent: of the lines of a block.
    static func text(_ text: String, indent: Int) -> String {
        let width = 80 - indent
        let scalars = Array(text.unicodeScalars)
        if !scalars.allSatisfy({ FrontMatter.isPrintable($0) || $0 == "\n" }) {
            return "\"" + scalars.map(escaped).joined() + "\""
        }
        // Widths are of UTF-16 there.
        let lines = text.utf16.split(separator: 10, omittingEmptySubsequences: false).map(Array.init)
        let isLong = lines.contains { $0.count > width && $0.first != space }
        if lines.count == 1, !isLong {
            return isPlain(scalars) ? text : "'" + text.replacing("'", with: "''") + "'"
        }
        let content = (isLong ? folded(lines, width) : lines).map { line in
            line.isEmpty ? "" : String(repeating: " ", count: indent) + String(decoding: line, as: UTF16.self)
        }
        let isIndented = lines.first { !$0.isEmpty }?.first == space
        var body = content.joined(separator: "\n")
        if body.utf8.last == 10 { body.removeLast() }
        return "\(isLong ? ">" : "|")\(isIndented ? "2" : "")\(ending(text))\n\(body)"
    }

    private static let space: UInt16 = 32

    private static func ending(_ text: String) -> String {
        guard text.utf8.last == 10 else { return "-" }
        return text.utf8.count == 1 || text.utf8.dropLast().last == 10 ? "+" : ""
    }

    /// - Parameter scalars: of a single line.
    private static func isPlain(_ scalars: [Unicode.Scalar]) -> Bool {
        guard let first = scalars.first, let last = scalars.last else { return false }
        return !" -?:,[]{}#&*!|=>'\"%@`".unicodeScalars.contains(first) && last != ":" && last != " "
            && !FrontMatter.breaksPlain(scalars)
    }

    private static func folded(_ lines: [[UInt16]], _ width: Int) -> [[UInt16]] {
        var found: [[UInt16]] = []
        var wasIndented = lines[0].isEmpty || lines[0].first == space
        for (index, line) in lines.enumerated() {
            if index > 0, !line.isEmpty {
                let isIndented = line.first == space
                if !wasIndented, !isIndented { found.append([]) }
                wasIndented = isIndented
            }
            found += folded(line, width)
        }
        return found
    }

    private static func folded(_ line: [UInt16], _ width: Int) -> [[UInt16]] {
        if line.isEmpty || line.first == space { return [line] }
        var found: [[UInt16]] = []
        var (start, last) = (0, 0)
        for index in line.indices.dropLast() where line[index] == space && line[index + 1] != space {
            if index - start > width {
                let end = last > start ? last : index
                found.append(Array(line[start..<end]))
                start = end + 1
            }
            last = index
        }
        if line.count - start > width, last > start {
            found += [Array(line[start..<last]), Array(line[(last + 1)...])]
        } else {
            found.append(Array(line[start...]))
        }
        return found
    }

    private static let escapes: [Unicode.Scalar: String] = [
        "\0": "0", "\u{7}": "a", "\u{8}": "b", "\t": "t", "\n": "n", "\u{B}": "v", "\u{C}": "f", "\r": "r",
        "\u{1B}": "e", "\"": "\"", "\\": "\\", "\u{85}": "N", "\u{A0}": "_", "\u{2028}": "L", "\u{2029}": "P",
    ]

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        if let letter = escapes[scalar] { return "\\" + letter }
        if FrontMatter.isPrintable(scalar) { return String(scalar) }
        return scalar.value <= 0xFF
            ? "\\x" + FrontMatter.hexadecimal(scalar.value, 2, uppercase: true)
            : "\\u" + FrontMatter.hexadecimal(scalar.value, 4, uppercase: true)
    }

    /// Joplin takes the quotes away from texts with a hyphen in front, as of negative numbers.
    static func unquoted(_ written: String) -> [String] {
        written.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let bytes = Array(line.utf8)
            guard let index = bytes.firstRange(of: Array(": '-".utf8))?.lowerBound,
                bytes.firstRange(of: Array(": '- ".utf8))?.lowerBound != index
            else { return String(line) }
            return String(decoding: bytes[..<(index + 2)] + bytes[(index + 3)...].dropLast(), as: UTF8.self)
        }
    }
}
