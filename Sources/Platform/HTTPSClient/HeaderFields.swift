/// The header section of an answer.
struct HeaderFields: Sendable {
    private(set) var fields: [(name: String, value: String)] = []

    /// The values of every header of that name, in any case, joined by commas (RFC 9110 §5.3).
    subscript(_ name: String) -> String? {
        let name = name.lowercased()
        let values = fields.filter { $0.name.lowercased() == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Takes one line as it came, with its end.
    mutating func add(line: [UInt8]) {
        let text = String(decoding: line.filter { $0 != 13 && $0 != 10 }, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // The status line of an answer: what came before belonged to an interim one.
            fields = []
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            fields.append((name: String(text[..<colon]), value: String(value)))
        }
    }
}
