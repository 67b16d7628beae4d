/// A version of up to five numbers, such as `2.10.0.4`, for `almanac.version`. A missing number is 0.
struct NumericVersion: Comparable, Sendable {
    private var parts: [UInt64] = []

    private static let maxParts = 5

    init?(_ text: String) {
        let texts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard texts.count <= Self.maxParts else { return nil }
        for text in texts {
            guard let part = DecimalDigits.number(text, maxDigits: 18) else { return nil }
            parts.append(UInt64(part))
        }
        parts += [UInt64](repeating: 0, count: Self.maxParts - parts.count)
    }

    static func < (left: NumericVersion, right: NumericVersion) -> Bool {
        left.parts.lexicographicallyPrecedes(right.parts)
    }
}

/// Numbers that consist of decimal digits, without a sign.
enum DecimalDigits {
    /// Returns the number, or nil if the text is not a number of one to `maxDigits` digits.
    static func number(_ text: Substring.UTF8View, maxDigits: Int) -> Int64? {
        guard (1...maxDigits).contains(text.count) else { return nil }
        var number: Int64 = 0
        for byte in text {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return number
    }
}
