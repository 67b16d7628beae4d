#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Strings as JSON writes them.
package enum JSONString {
    /// The text that a JSON string with its quotes stands for; nil for a lone surrogate or bytes that are not UTF-8.
    package static func text(of json: ArraySlice<UInt8>) -> String? {
        let inside = json.dropFirst().dropLast()
        if inside.contains(UInt8(ascii: "\\")) { return try? JSONDecoder().decode(String.self, from: Data(json)) }
        return String(validating: inside, as: UTF8.self)
    }

    /// A text with quotes and escapes.
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
