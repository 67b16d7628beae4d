/// The encoding of strings in JSON.
package enum JSONString {
    /// Decodes a JSON string with its quotes, as read by ``JSONReader/string()``. Returns nil for half of a surrogate
    /// pair and for bytes that are not UTF-8.
    package static func text(of json: ArraySlice<UInt8>) -> String? {
        var rest = json.dropFirst().dropLast()
        guard rest.contains(UInt8(ascii: "\\")) else {
            // Most strings are ASCII, which takes a tenth of the time of the validating initializer.
            let isASCII = rest.allSatisfy { $0 < 0x80 }
            return isASCII ? String(decoding: rest, as: UTF8.self) : String(validating: rest, as: UTF8.self)
        }
        var text: [UInt8] = []
        text.reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            switch rest.removeFirst() {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                var code = hexadecimal(&rest)
                if (0xD800..<0xDC00).contains(code) {
                    guard rest.starts(with: "\\u".utf8) else { return nil }
                    rest.removeFirst(2)
                    let low = hexadecimal(&rest)
                    guard (0xDC00..<0xE000).contains(low) else { return nil }
                    code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
                }
                guard let scalar = Unicode.Scalar(code), let bytes = UTF8.encode(scalar) else { return nil }
                text.append(contentsOf: bytes)
            case let mark: text.append(mark)
            }
        }
        return String(validating: text, as: UTF8.self)
    }

    private static func hexadecimal(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
        defer { rest.removeFirst(4) }
        return UInt32(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0
    }

    package static func json(of text: String) -> String {
        var json = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case "\n": json += "\\n"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: json.unicodeScalars.append(scalar)
            }
        }
        return json + "\""
    }
}
