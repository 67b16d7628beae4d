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
