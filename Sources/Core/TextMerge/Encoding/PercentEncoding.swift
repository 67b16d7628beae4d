/// The percent encoding of delta strings: JavaScript's `encodeURI` (ECMA-262 §19.2.6.5), but with unescaped spaces.
enum PercentEncoding {
    /// The characters that `encodeURI` never escapes and `decodeURI` leaves escaped, by byte.
    private static let isReserved = membership(of: ";/?:@&=+$,#")
    private static let isUnescaped = membership(
        of: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'() ;/?:@&=+$,#")
    private static let digits = Array("0123456789ABCDEF".utf8)

    static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnescaped[Int(byte)] {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes a text. Returns nil if an escape is cut off, yields malformed UTF-8, or is ambiguous.
    ///
    /// An escape is ambiguous if `encodeURI` never writes it and `decodeURI` leaves it escaped, while other readers
    /// decode it. Unescaped characters are accepted everywhere, as all readers do.
    static func decode(_ bytes: ArraySlice<UInt8>) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] == UInt8(ascii: "%") else {
                decoded.append(bytes[index])
                index += 1
                continue
            }
            guard index + 2 < bytes.endIndex, let high = value(of: bytes[index + 1]),
                let low = value(of: bytes[index + 2]), !isReserved[Int(high << 4 | low)]
            else { return nil }
            decoded.append(high << 4 | low)
            index += 3
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func membership(of characters: String) -> [Bool] {
        let members = Set(characters.utf8)
        return (0...UInt8.max).map(members.contains)
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
