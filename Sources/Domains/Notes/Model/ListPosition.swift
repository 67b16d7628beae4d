/// The positions of notes in a list: strings that sort byte by byte, with room for another between any two.
///
/// A position is a whole number and a fraction in base 62. The first character gives the number of digits (`a0` is 0,
/// `a1` is 1, `b00` is 62, `Zz` is -1), and the fraction never ends in `0`. A list that grows at an end only counts up
/// or down, so its positions stay short; repeated inserts at the same place make them longer.
///
/// Source: David Greenspan, "Implementing Fractional Indexing" (2020).
enum ListPosition {
    /// The length above which the list is renumbered.
    static let renumberLength = 64

    static func isTooLong(_ position: String) -> Bool { position.utf8.count > renumberLength }

    /// The positions around a place in the list; nil is an end of it.
    struct Neighbours: Sendable {
        var lower: String?
        var upper: String?

        /// A new position between the neighbours.
        var middle: String { between(lower, upper) }

        /// Returns true if a position lies between the neighbours.
        func enclose(_ position: String) -> Bool {
            (lower.map { $0 < position } ?? true) && (upper.map { position < $0 } ?? true)
        }
    }

    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let zero = digits[0]

    /// Returns a position between two others; nil is an end of the list.
    ///
    /// - Precondition: `lower` sorts before `upper`, and both were made by this function.
    static func between(_ lower: String?, _ upper: String?) -> String {
        String(decoding: between(lower.map { Array($0.utf8) }, upper.map { Array($0.utf8) }), as: UTF8.self)
    }

    /// Returns the shortest positions for a whole list.
    static func numbering(_ count: Int) -> [String] {
        var positions: [String] = []
        positions.reserveCapacity(count)
        for _ in 0..<count { positions.append(between(positions.last, nil)) }
        return positions
    }

    private static func between(_ lower: [UInt8]?, _ upper: [UInt8]?) -> [UInt8] {
        switch (lower, upper) {
        case (nil, nil): return [UInt8(ascii: "a"), zero]
        case (nil, let upper?):
            let whole = Array(upper.prefix(length(of: upper[0])))
            // The number without its fraction already sorts before the upper position.
            return upper.count > whole.count ? whole : decrement(whole)
        case (let lower?, nil): return increment(Array(lower.prefix(length(of: lower[0]))))
        case (let lower?, let upper?):
            let whole = Array(lower.prefix(length(of: lower[0])))
            let upperWhole = Array(upper.prefix(length(of: upper[0])))
            let fraction = Array(lower.dropFirst(whole.count))
            if whole == upperWhole { return whole + midpoint(fraction, Array(upper.dropFirst(whole.count))) }
            let next = increment(whole)
            return next.lexicographicallyPrecedes(upper) ? next : whole + midpoint(fraction, nil)
        }
    }

    /// Returns the length of a whole number that starts with a character.
    private static func length(of head: UInt8) -> Int {
        head >= UInt8(ascii: "a") ? Int(head - UInt8(ascii: "a")) + 2 : Int(UInt8(ascii: "Z") - head) + 2
    }

    /// Returns a fraction between two others. An empty lower fraction is 0, and a nil upper fraction is 1.
    private static func midpoint(_ lower: [UInt8], _ upper: [UInt8]?) -> [UInt8] {
        if let upper {
            var common = 0
            while common < upper.count, (common < lower.count ? lower[common] : zero) == upper[common] { common += 1 }
            if common > 0 {
                return Array(upper.prefix(common))
                    + midpoint(Array(lower.dropFirst(common)), Array(upper.dropFirst(common)))
            }
        }
        let first = lower.first.map(value) ?? 0
        let last = upper?.first.map(value) ?? digits.count
        if last - first > 1 { return [digits[(first + last) / 2]] }
        // The first digits are adjacent, so the upper digit alone lies between if more digits follow it.
        if let upper, upper.count > 1 { return [upper[0]] }
        return [digits[first]] + midpoint(Array(lower.dropFirst()), nil)
    }

    /// Returns the next whole number. Each side of 0 has 62 to the power of 26 numbers, which no list exhausts.
    private static func increment(_ whole: [UInt8]) -> [UInt8] {
        var number = whole
        for index in number.indices.dropFirst().reversed() {
            let digit = value(number[index]) + 1
            if digit < digits.count {
                number[index] = digits[digit]
                return number
            }
            number[index] = zero
        }
        if number[0] == UInt8(ascii: "Z") { return [UInt8(ascii: "a"), zero] }
        let isPositive = number[0] >= UInt8(ascii: "a")
        number[0] += 1
        if isPositive { number.append(zero) } else { number.removeLast() }
        return number
    }

    /// Returns the previous whole number.
    private static func decrement(_ whole: [UInt8]) -> [UInt8] {
        var number = whole
        let maxDigit = digits[digits.count - 1]
        for index in number.indices.dropFirst().reversed() {
            let digit = value(number[index]) - 1
            if digit >= 0 {
                number[index] = digits[digit]
                return number
            }
            number[index] = maxDigit
        }
        if number[0] == UInt8(ascii: "a") { return [UInt8(ascii: "Z"), maxDigit] }
        let isPositive = number[0] > UInt8(ascii: "a")
        number[0] -= 1
        if isPositive { number.removeLast() } else { number.append(maxDigit) }
        return number
    }

    private static func value(_ digit: UInt8) -> Int {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A")) + 10
        default: Int(digit - UInt8(ascii: "a")) + 36
        }
    }
}
