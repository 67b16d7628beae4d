internal import Foundation

/// Names and values as forms send them: `application/x-www-form-urlencoded`.
enum Form {
    static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    private static func encode(_ text: String) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    /// Nil where a name stands twice, which RFC 6749 §3.1 forbids, or where something is not encoded.
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

    private static func plain(_ text: Substring) -> String? { text.replacing("+", with: " ").removingPercentEncoding }
}
