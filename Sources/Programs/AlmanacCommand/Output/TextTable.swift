/// Tables of text for people.
enum TextTable {
    /// Pads every column to its widest cell, without spaces at the ends of lines.
    static func text(_ rows: [[String]]) -> String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed()) + "\n"
        }.joined()
    }

    /// Formats rows below a line of headings.
    static func text(_ headings: [String], _ rows: [[String]], _ style: OutputStyle) -> String {
        let table = text([headings] + rows)
        let end = table.firstIndex(of: "\n") ?? table.endIndex
        return style.paint(String(table[..<end]), .heading) + table[end...]
    }

    /// Replaces control characters in a text of several lines by their code points, such as <U+001B>.
    static func visible(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            guard scalar.properties.generalCategory == .control, scalar != "\n", scalar != "\t" else {
                return String(scalar)
            }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "<U+" + String(repeating: "0", count: 4 - digits.utf8.count) + digits + ">"
        }.joined()
    }

    /// Replaces control characters and line breaks by spaces.
    static func line(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { $0.value < 32 || (127..<160).contains($0.value) ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}
