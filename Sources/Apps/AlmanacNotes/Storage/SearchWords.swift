internal import AlmanacUnicode

/// The normalized words of a text for searches, separated by spaces, without case, accents, vowel points and width.
///
/// Punctuation, whitespace and control characters separate words. A character of a script without spaces, a symbol and
/// an emoji is a word of its own. The server implements the same rules in SQL (`search_words`) and the notes page in
/// `fold.js`; the tests' `search-cases.json` covers all three.
enum SearchWords {
    static func of(_ text: String) -> String { text.utf8.allSatisfy { $0 < 0x80 } ? ofASCII(text) : ofAny(text) }

    private static func ofASCII(_ text: String) -> String {
        var words: [UInt8] = []
        words.reserveCapacity(text.utf8.count)
        var followsSeparator = true
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                if followsSeparator && !words.isEmpty { words.append(UInt8(ascii: " ")) }
                words.append(byte)
                followsSeparator = false
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                if followsSeparator && !words.isEmpty { words.append(UInt8(ascii: " ")) }
                words.append(byte | 0x20)
                followsSeparator = false
            default:
                followsSeparator = true
                let scalar = Unicode.Scalar(byte)
                if !scalar.isOwnWord { continue }
                if !words.isEmpty { words.append(UInt8(ascii: " ")) }
                words += scalar.ownWord.utf8
            }
        }
        return String(decoding: words, as: UTF8.self)
    }

    private static func ofAny(_ text: String) -> String {
        var words = String.UnicodeScalarView()
        var followsSeparator = true
        for scalar in text.compatibilityDecomposed.lowercased().unicodeScalars where !scalar.isIgnored {
            let isOwnWord = scalar.isOwnWord
            if scalar.isSeparator {
                followsSeparator = true
                continue
            }
            if (followsSeparator || isOwnWord) && !words.isEmpty { words.append(" ") }
            if isOwnWord { words += scalar.ownWord.unicodeScalars } else { words += scalar.letters.unicodeScalars }
            followsSeparator = isOwnWord
        }
        return String(words)
    }
}

extension Unicode.Scalar {
    /// True if the scalar is dropped: an accent, a vowel point or an invisible character.
    fileprivate var isIgnored: Bool {
        switch value {
        case ..<0xAD: false
        case 0x300...0x36F, 0x483...0x487, 0x591...0x5BD, 0x5BF...0x5C7, 0x610...0x61A, 0x640, 0x64B...0x65F, 0x670,
            0x6D6...0x6ED, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x2065, 0x20D0...0x20F0, 0xFE00...0xFE0F, 0xFE20...0xFE2F:
            true
        default: properties.generalCategory == .format
        }
    }

    fileprivate var isSeparator: Bool {
        switch properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation, .spaceSeparator, .lineSeparator, .paragraphSeparator, .control:
            true
        default: false
        }
    }

    /// True if the scalar is a word of its own. Punctuation in the same ranges is included.
    fileprivate var isOwnWord: Bool {
        switch value {
        case 0x24, 0x2B, 0x3C...0x3E, 0x5E, 0x60, 0x7C, 0x7E, 0xA2...0xA9, 0xAC, 0xAE...0xB1, 0xD7, 0xF7, 0xE00...0xEFF,
            0x1000...0x109F, 0x1780...0x17FF, 0x19E0...0x19FF, 0x2044, 0x2052, 0x20A0...0x20CF, 0x2100...0x2BFF,
            0x2E80...0x2FFF, 0x3004...0x3007, 0x3021...0x3029, 0x3040...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF,
            0x31F0...0x31FF, 0x3400...0x9FFF, 0xA9E0...0xA9FF, 0xAA60...0xAA7F, 0x10000...:
            true
        default: false
        }
    }

    /// The word for a scalar that is a word of its own. A private use character replaces the scalar if SQLite's version
    /// of Unicode may not know it as a letter.
    fileprivate var ownWord: String {
        let isLetter = properties.isAlphabetic && value < 0x9FA6
        return isLetter ? String(self) : "\u{E000}" + String(value, radix: 16)
    }

    /// The normalized letters of a scalar inside a word.
    fileprivate var letters: String {
        switch self {
        case "ß": "ss"
        case "æ": "ae"
        case "œ": "oe"
        case "ø": "o"
        case "đ", "ð": "d"
        case "þ": "th"
        case "ł": "l"
        case "ı": "i"
        case "ς": "σ"
        default: String(self)
        }
    }
}
