/// The text of a JSON array without the escapes that stand for no text PostgreSQL can hold, so that they spoil only the
/// elements they are in.
public struct MendedArray: Sendable {
    /// The text with `\ufffd` in place of each such escape; every other byte stands where it stood.
    public private(set) var bytes: [UInt8]
    /// The faults of elements that can't be stored, by their positions; meaningless when the text is no array.
    public private(set) var flaws: [Int: Flaw] = [:]

    /// A character that can't be stored.
    public enum Flaw: Sendable {
        /// U+0000.
        case nulCharacter
        /// Half of a surrogate pair.
        case loneSurrogate
    }

    private static let replacement = Array("\\ufffd".utf8)

    /// - Parameter text: need not be JSON; whatever else is wrong with it stays in it.
    public init(_ text: [UInt8]) {
        bytes = text
        guard text.hasUnicodeEscape else { return }
        var scanner = TokenScanner(text)
        var depth = 0
        var element = 0
        while let token = scanner.next() {
            switch token {
            case .opening: depth += 1
            case .closing: depth -= 1
            case .comma: if depth == 1 { element += 1 }
            case .colon, .number: continue
            case .string(let range): mend(range, of: text, in: element)
            }
        }
    }

    private mutating func mend(_ string: Range<Int>, of text: [UInt8], in element: Int) {
        var position = string.lowerBound
        while position < string.upperBound {
            guard text[position] == UInt8(ascii: "\\") else {
                position += 1
                continue
            }
            guard let unit = text.escapedUnit(at: position) else {
                position += 2
                continue
            }
            let next = position + Self.replacement.count
            if UTF16.isLeadSurrogate(unit), let trail = text.escapedUnit(at: next), UTF16.isTrailSurrogate(trail) {
                position = next + Self.replacement.count
                continue
            }
            if unit == 0 || UTF16.isSurrogate(unit) {
                bytes.replaceSubrange(position..<next, with: Self.replacement)
                if flaws[element] == nil { flaws[element] = unit == 0 ? .nulCharacter : .loneSurrogate }
            }
            position = next
        }
    }
}

extension MendedArray.Flaw: CustomStringConvertible {
    public var description: String {
        switch self {
        case .nulCharacter: "the character U+0000"
        case .loneSurrogate: "half of a surrogate pair"
        }
    }
}

extension [UInt8] {
    /// Most texts have none, and need no closer look.
    fileprivate var hasUnicodeEscape: Bool {
        var follows = false
        for byte in self {
            if follows, byte == UInt8(ascii: "u") { return true }
            follows = byte == UInt8(ascii: "\\")
        }
        return false
    }

    /// The UTF-16 unit that an escape such as `\u00e9` stands for; nil where there is no such escape.
    fileprivate func escapedUnit(at position: Int) -> UInt16? {
        guard position + 6 <= count, self[position] == UInt8(ascii: "\\"), self[position + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for byte in self[position + 2..<position + 6] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
