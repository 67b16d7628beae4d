/// A number that keeps the digits it was written with.
///
/// `0.1`, `1.0`, `1E5` and `9007199254740993` come out as they went in. Two numbers are equal when they were written
/// alike: `1` and `1.0` are not.
public struct JSONNumber: Hashable, Sendable {
    /// The digits, with sign, point and exponent, exactly as written.
    public let text: String

    public init(_ value: Int64) {
        text = String(value)
    }

    public init(_ value: Int) {
        text = String(value)
    }

    /// - Parameter text: a number in the grammar of RFC 8259 section 6; the caller has checked it.
    init(checked text: String) {
        self.text = text
    }

    /// The value, when it was written as an integer (no point, no exponent) and fits.
    public var int64: Int64? { Int64(text) }
}

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
