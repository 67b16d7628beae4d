internal import AlmanacTransport

extension HeaderFields {
    /// Takes one line as it came, with its end.
    mutating func add(line: [UInt8]) {
        let text = String(decoding: line.filter { $0 != 13 && $0 != 10 }, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // The status line of a response: what came before belonged to an interim one.
            fields = []
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            fields.append((name: String(text[..<colon]), value: String(value)))
        }
    }
}
