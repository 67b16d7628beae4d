/// The text of a JSON array in which escapes that PostgreSQL cannot store are replaced.
public struct SanitizedArray: Sendable {
    /// The text with `\ufffd` in place of each such escape; all other bytes keep their offsets.
    public private(set) var bytes: [UInt8]
    /// The faults of elements that cannot be stored, by index; meaningless if the text is not an array.
    public private(set) var faults: [Int: Fault] = [:]

    public enum Fault: Sendable {
        case nulCharacter
        /// Half of a surrogate pair.
        case loneSurrogate
    }

    private static let replacement = Array("\\ufffd".utf8)

    /// - Parameter text: A text that need not be valid JSON; other faults are not changed.
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
            case .string(let range): replaceInvalidEscapes(range, of: text, in: element)
            }
        }
    }

    private mutating func replaceInvalidEscapes(_ string: Range<Int>, of text: [UInt8], in element: Int) {
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
                if faults[element] == nil { faults[element] = unit == 0 ? .nulCharacter : .loneSurrogate }
            }
            position = next
        }
    }
}

extension SanitizedArray.Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .nulCharacter: "the character U+0000"
        case .loneSurrogate: "half of a surrogate pair"
        }
    }
}

extension [UInt8] {
    /// True if the text contains a Unicode escape. Most texts have none and are not scanned for tokens.
    fileprivate var hasUnicodeEscape: Bool {
        var follows = false
        for byte in self {
            if follows, byte == UInt8(ascii: "u") { return true }
            follows = byte == UInt8(ascii: "\\")
        }
        return false
    }

    /// Returns the UTF-16 unit of an escape such as `\u00e9`, or nil if there is no escape.
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
