/// A reader of the CBOR of authenticators: RFC 8949 in the canonical form of CTAP2 (CTAP 2.2 §8), which has definite
/// lengths only, the shortest form of each number, and the keys of a map in ascending order.
struct CBORReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// Takes a number of bytes; nil if there are fewer.
    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Returns the bytes that the reading of a value takes; nil if it fails.
    mutating func consumed(_ read: (inout CBORReader) -> Bool) -> [UInt8]? {
        let before = rest
        return read(&self) ? Array(before.prefix(before.count - rest.count)) : nil
    }

    /// The major types (RFC 8949 §3.1).
    private enum Major: UInt8 { case unsigned, negative, bytes, text, array, map, tag, simple }

    /// Reads the head of a value: its major type and its number or length.
    private mutating func head() -> (major: Major, number: UInt32)? {
        guard let first = rest.popFirst(), let major = Major(rawValue: first >> 5) else { return nil }
        let low = first & 31
        if low < 24 { return (major, UInt32(low)) }
        // Longer numbers appear in no key or extension; 31 is an indefinite length.
        guard low <= 26, let digits = bytes(1 << (low - 24)) else { return nil }
        let number = digits.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let shortest: UInt32 = [24, 0x100, 0x1_0000][Int(low) - 24]
        return number >= shortest ? (major, number) : nil
    }

    /// Reads a whole number.
    mutating func integer() -> Int? {
        switch head() {
        case (.unsigned, let number)?: Int(number)
        case (.negative, let number)?: -1 - Int(number)
        default: nil
        }
    }

    /// Reads a string of bytes.
    mutating func byteString() -> [UInt8]? {
        guard case (.bytes, let count)? = head() else { return nil }
        return bytes(Int(count))
    }

    /// Reads the head of a map and returns the number of its members.
    mutating func mapCount() -> Int? {
        guard case (.map, let count)? = head() else { return nil }
        return Int(count)
    }

    /// Skips a map. Returns false if it is malformed.
    mutating func skipMap() -> Bool {
        guard let first = rest.first, first >> 5 == Major.map.rawValue else { return false }
        return skip(depth: 4)
    }

    /// Skips any value. CTAP2 allows a nesting depth of 4, no tags, and no simple values except booleans and null.
    private mutating func skip(depth: Int) -> Bool {
        guard depth > 0, let (major, number) = head() else { return false }
        switch major {
        case .unsigned, .negative: return true
        case .bytes: return bytes(Int(number)) != nil
        case .text: return bytes(Int(number)).flatMap { String(validating: $0, as: UTF8.self) } != nil
        case .array:
            for _ in 0..<number where !skip(depth: depth - 1) { return false }
            return true
        case .map:
            var last: [UInt8]?
            for _ in 0..<number {
                guard let key = consumed({ $0.skip(depth: depth - 1) }),
                    last.map({ Self.isAscending($0, key) }) ?? true,
                    skip(depth: depth - 1)
                else { return false }
                last = key
            }
            return true
        case .tag: return false
        case .simple: return (20...22).contains(number)
        }
    }

    /// Orders keys by major type, then by length, then by bytes.
    private static func isAscending(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        let (leftMajor, rightMajor) = (left[0] >> 5, right[0] >> 5)
        if leftMajor != rightMajor { return leftMajor < rightMajor }
        if left.count != right.count { return left.count < right.count }
        return left.lexicographicallyPrecedes(right)
    }
}
