/// A number that preserves its digits in JSON.
public struct FlagNumber: Sendable {
    /// The nearest double.
    public let double: Double
    /// The digits in JSON, empty for a computed number.
    private let digits: String

    /// Creates a computed number.
    public init(_ double: Double) {
        self.double = double
        digits = ""
    }

    /// Creates an exact integer.
    public init(_ integer: Int64) {
        double = Double(integer)
        digits = integer.description
    }

    /// Creates a number from its JSON text. Returns nil if it is beyond the range of a double.
    init?(digits: String) {
        guard let double = Double(digits), double.isFinite else { return nil }
        self.double = double
        self.digits = digits
    }

    /// The digits in JSON. For a computed number, the shortest digits that yield the same double.
    public var text: String { digits.utf8.isEmpty ? computedText : digits }

    /// The length of the digits in JSON, or 0 for a computed number.
    var digitCount: Int { digits.utf8.count }

    /// The text used by rules, in which 1.0 and 1e0 are 1.
    var textInRules: String { isWrittenAsInteger ? text : computedText }

    private var computedText: String {
        if double.isNaN { return "NaN" }
        if double.isInfinite { return double < 0 ? "-Infinity" : "Infinity" }
        return double.magnitude < 1e18 && double == double.rounded(.towardZero)
            ? Int64(double).description : double.description
    }

    /// True if the number has digits, without a fraction and an exponent.
    public var isWrittenAsInteger: Bool {
        !digits.utf8.isEmpty
            && digits.utf8.allSatisfy {
                $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }

    /// Returns two doubles in the same order as the two numbers. They are the numbers' own doubles, unless both are
    /// integers with the same double beyond 2⁵³. For these, the digits decide: the result is (0, 0), (1, 0) or (-1,
    /// 0).
    func ordered(against other: FlagNumber) -> (Double, Double) {
        guard double == other.double, double.magnitude >= 0x1p53, isWrittenAsInteger, other.isWrittenAsInteger else {
            return (double, other.double)
        }
        // Both numbers have the same sign and no leading zeros.
        let isFurther =
            digitCount == other.digitCount ? other.digits.comesBefore(digits) : digitCount > other.digitCount
        if !isFurther, digits.hasBytes(of: other.digits) { return (0, 0) }
        return (isFurther == (double > 0) ? 1 : -1, 0)
    }

    /// Returns true if both numbers are equal, whatever their notation.
    func isSame(as other: FlagNumber) -> Bool {
        let (left, right) = ordered(against: other)
        return left == right
    }

    /// The exact integer, or nil if it has a fraction or its magnitude exceeds 64 bits.
    var integer: (isNegative: Bool, magnitude: UInt64)? {
        if isWrittenAsInteger {
            let isNegative = digits.utf8.first == UInt8(ascii: "-")
            var magnitude: UInt64 = 0
            for digit in digits.utf8.dropFirst(isNegative ? 1 : 0) {
                let (high, low) = magnitude.multipliedFullWidth(by: 10)
                let (sum, overflow) = UInt64(low).addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
                guard high == 0, !overflow else { return nil }
                magnitude = sum
            }
            return (isNegative && magnitude > 0, magnitude)
        }
        guard double == double.rounded(.towardZero), double.magnitude < 0x1p64 else { return nil }
        return (double < 0, UInt64(double.magnitude))
    }
}
