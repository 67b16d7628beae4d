/// A number, with the digits that it was written with.
public struct FlagNumber: Sendable {
    /// The nearest double.
    public let double: Double
    /// The digits in JSON, empty for a number that was computed.
    private let digits: String

    /// A number that was computed.
    public init(_ double: Double) {
        self.double = double
        digits = ""
    }

    /// An integer, exactly.
    public init(_ integer: Int64) {
        double = Double(integer)
        digits = integer.description
    }

    /// What JSON's grammar takes for a number; nil for one that is beyond a double.
    init?(digits: String) {
        guard let double = Double(digits), double.isFinite else { return nil }
        self.double = double
        self.digits = digits
    }

    /// The digits as written; of a computed number the fewest that give the same double again.
    public var text: String { digits.utf8.isEmpty ? computedText : digits }

    /// How many bytes of digits are kept.
    var digitCount: Int { digits.utf8.count }

    /// What rules make of it where they need a text: 1.0 and 1e0 are 1.
    var textInRules: String { isWrittenAsInteger ? text : computedText }

    private var computedText: String {
        if double.isNaN { return "NaN" }
        if double.isInfinite { return double < 0 ? "-Infinity" : "Infinity" }
        return double.magnitude < 1e18 && double == double.rounded(.towardZero)
            ? Int64(double).description : double.description
    }

    /// Whether it was written, without a fraction and an exponent.
    public var isWrittenAsInteger: Bool {
        !digits.utf8.isEmpty
            && digits.utf8.allSatisfy {
                $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }

    /// What tells which of two numbers comes first: their doubles; or, for whole numbers that are written out and of
    /// which doubles don't know the last digits, 0 and -1, 0 or 1 before it.
    func ordered(against other: FlagNumber) -> (Double, Double) {
        guard double == other.double, double.magnitude >= 0x1p53, isWrittenAsInteger, other.isWrittenAsInteger else {
            return (double, other.double)
        }
        // Of the same sign, and without zeros in front.
        let isFurther =
            digitCount == other.digitCount ? other.digits.comesBefore(digits) : digitCount > other.digitCount
        if !isFurther, digits.hasBytes(of: other.digits) { return (0, 0) }
        return (isFurther == (double > 0) ? 1 : -1, 0)
    }

    /// Whether both are the same number, however they are written.
    func isSame(as other: FlagNumber) -> Bool {
        let (left, right) = ordered(against: other)
        return left == right
    }

    /// The exact integer, if it is one whose magnitude takes 64 bits.
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
