internal import AlmanacJSON

/// Parses the text of a value as a person means it.
///
/// JSON is parsed as JSON, and any other text is a string. A text that begins like an object, an array or a quoted
/// string but is no JSON is refused as a mistake.
enum ValueText {
    static let rule = """
        VALUE is parsed as JSON (true, 42, "text", {"a": 1}); if it is not JSON, it is a plain text.
        --string stores a text that looks like JSON. A VALUE that begins with {, [ or " but is not JSON is
        refused.
        """

    /// - Parameters:
    ///   - isString: takes the text as a string in any case.
    ///   - isWord: the text is a word of the command line; in a file, a line break at the end is ignored.
    static func value(_ bytes: [UInt8], isString: Bool, isWord: Bool) throws(UsageFailure) -> JSONValue {
        guard var text = String(validating: bytes, as: UTF8.self) else { throw UsageFailure("the value is not UTF-8") }
        if !isWord, text.utf8.last == 10 {
            text = String(decoding: text.utf8.dropLast(text.utf8.dropLast().last == 13 ? 2 : 1), as: UTF8.self)
        }
        if isString { return .string(text) }
        var limits = JSONLimits()
        limits.bytes = 64 << 20
        limits.depth = 512
        let value: JSONValue
        do {
            value = try JSONValue(parsing: Array(text.utf8), limits: limits)
        } catch {
            if let mistake = mistake(error, in: text) { throw mistake }
            return .string(text)
        }
        guard value.type != .null else {
            throw UsageFailure("null is not a value; remove the key with 'almanac config unset', or give --string")
        }
        return value
    }

    /// Returns the error of a text that was meant as JSON but is invalid; nil if it was meant as a string.
    private static func mistake(_ failure: JSONFailure, in text: String) -> UsageFailure? {
        if case .empty = failure { return nil }
        let first = text.utf8.first { ![9, 10, 13, 32].contains($0) }
        let isNumber = if case .numberOutOfRange = failure { true } else { false }
        guard isNumber || first.map({ "{[\"".utf8.contains($0) }) == true else { return nil }
        return UsageFailure("the value looks like JSON but is not: \(failure) Give --string to store the text as it is")
    }
}
