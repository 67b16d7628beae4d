/// A number that preserves its digits.
///
/// `0.1`, `1.0`, `1E5` and `9007199254740993` are written as they were read. Two numbers are equal if their digits are:
/// `1` and `1.0` are different.
public struct JSONNumber: Hashable, Sendable {
    /// The unchanged digits, with sign, point and exponent.
    public let text: String

    public init(_ value: Int64) { text = String(value) }

    public init(_ value: Int) { text = String(value) }

    /// - Parameter text: A number that the caller has checked against the grammar of RFC 8259 section 6.
    init(checked text: String) { self.text = text }

    /// The value as an integer, or nil if it has a point or an exponent or does not fit.
    public var int64: Int64? { Int64(text) }
}

/// A reader of the numbers in valid JSON, one after another.
struct NumberReader {
    /// PostgreSQL's `jsonb` writes `1e131071` with all its digits, so a large exponent would need as many bytes.
    private static let maxExponent = 308
    private static let maxNumberBytes = 400

    private let text: [UInt8]
    private var scanner: TokenScanner

    init(_ text: [UInt8]) {
        self.text = text
        scanner = TokenScanner(text)
    }

    /// Returns the next number, which must exist.
    mutating func next() throws(JSONFailure) -> JSONNumber {
        while let token = scanner.next() {
            guard case .number(let range) = token else { continue }
            let digits = text[range]
            if digits.count > Self.maxNumberBytes || !Self.hasModestExponent(digits) {
                let position = TextPosition(of: range.upperBound - 1, in: text)
                throw .numberOutOfRange(line: position.line, column: position.column)
            }
            return JSONNumber(checked: String(decoding: digits, as: UTF8.self))
        }
        preconditionFailure("jansson found more numbers than the text has")
    }

    private static func hasModestExponent(_ digits: ArraySlice<UInt8>) -> Bool {
        guard let mark = digits.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return true }
        // An exponent too long for an Int is out of range too.
        let exponent = Int(String(decoding: digits[(mark + 1)...], as: UTF8.self))
        return exponent.map { (-maxExponent...maxExponent).contains($0) } ?? false
    }
}
