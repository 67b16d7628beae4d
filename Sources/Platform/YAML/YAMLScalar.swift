internal import AlmanacJSON

/// The values of plain scalars by YAML's core schema.
enum YAMLScalar {
    /// Returns the value of a plain scalar.
    ///
    /// - Throws: A failure for a number that parsers of other versions read in another way, or that JSON does not have.
    static func value(_ text: String, line: Int) throws(YAMLFailure) -> JSONValue {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .boolean(true)
        case "false", "False", "FALSE": return .boolean(false)
        default: break
        }
        guard let first = text.utf8.first, "+-.0123456789".utf8.contains(first) else { return .string(text) }
        if let number = number(text) { return number }
        if isAmbiguous(text) {
            throw YAMLFailure(
                line: line,
                "'\(text.prefix(100))' is not the same in all versions of YAML; write a number in decimal digits, or "
                    + "a text in quotes")
        }
        return .string(text)
    }

    /// Returns true for numbers of YAML 1.1 and of the core schema that JSON does not have: other bases, leading zeros,
    /// separators, infinity and not a number.
    private static func isAmbiguous(_ text: String) -> Bool {
        text.wholeMatch(
            of: /[-+]?(0[xob][0-9A-Fa-f_]+|[0-9][0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9]+)?|\.(inf|Inf|INF))|\.(nan|NaN|NAN)/
        ) != nil
    }

    /// Returns the number in the notation of JSON; nil for a text, and for a number with leading zeros.
    private static func number(_ text: String) -> JSONValue? {
        guard let match = text.wholeMatch(of: /([-+]?)([0-9]*)(\.?)([0-9]*)([eE][-+]?[0-9]+)?/) else { return nil }
        let (whole, fraction) = (match.2, match.4)
        guard !whole.isEmpty || !fraction.isEmpty, whole.count < 2 || !whole.hasPrefix("0") else { return nil }
        let digits =
            (match.1 == "-" ? "-" : "") + (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : ".\(fraction)")
            + (match.5 ?? "")
        return try? JSONValue(parsing: Array(digits.utf8))
    }
}
