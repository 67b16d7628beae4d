/// Reads the numbers of a text that is known to be JSON, one after the other.
struct NumberReader {
    /// PostgreSQL's `jsonb` writes `1e131071` out in full, so an exponent is worth as many bytes.
    private static let largestExponent = 308
    private static let longestNumber = 400

    private let text: [UInt8]
    private var scanner: TokenScanner

    init(_ text: [UInt8]) {
        self.text = text
        scanner = TokenScanner(text)
    }

    /// The next number; there must be one.
    mutating func next() throws(JSONFailure) -> JSONNumber {
        while let token = scanner.next() {
            guard case .number(let range) = token else { continue }
            let digits = text[range]
            if digits.count > Self.longestNumber || !Self.hasModestExponent(digits) {
                let position = TextPosition(of: range.upperBound - 1, in: text)
                throw .numberOutOfRange(line: position.line, column: position.column)
            }
            return JSONNumber(checked: String(decoding: digits, as: UTF8.self))
        }
        preconditionFailure("jansson found more numbers than the text has")
    }

    private static func hasModestExponent(_ digits: ArraySlice<UInt8>) -> Bool {
        guard let mark = digits.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return true }
        // An exponent too long for an Int is as far out of range as one can be.
        let exponent = Int(String(decoding: digits[(mark + 1)...], as: UTF8.self))
        return exponent.map { (-largestExponent...largestExponent).contains($0) } ?? false
    }
}
