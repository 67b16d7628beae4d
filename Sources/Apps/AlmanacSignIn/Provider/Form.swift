/// Fields of a query or a form, `application/x-www-form-urlencoded`.
enum Form {
    /// Decodes fields. Returns nil for a repeated name, which RFC 6749 §3.1 forbids, and for an invalid encoding.
    static func decode(_ text: String) -> [String: String]? {
        var fields: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = plain(parts[0]), let value = plain(parts.count == 2 ? parts[1] : ""), fields[name] == nil
            else { return nil }
            fields[name] = value
        }
        return fields
    }

    private static func plain(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard digits.utf8.count == 2, !digits.hasPrefix("+"), let number = UInt8(digits, radix: 16) else {
                    return nil
                }
                bytes.append(number)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
