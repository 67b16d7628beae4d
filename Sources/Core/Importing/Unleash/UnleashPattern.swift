/// The syntax of a regular expression that Unleash's clients and Almanac read alike.
///
/// The clients use several engines (the regex library of Rust, RE2). So syntax in which these differ is not kept.
struct UnleashPattern {
    /// True if the pattern has `\w`, `\d`, `\s` or `\b`, which some clients match beyond ASCII.
    private(set) var hasClasses = false
    private let scalars: [Unicode.Scalar]
    private var offset = 0

    /// Returns nil for syntax that is not known to be read alike.
    init?(_ text: String) {
        scalars = Array(text.unicodeScalars)
        while offset < scalars.count {
            let scalar = scalars[offset]
            offset += 1
            switch scalar {
            case "\\": guard readEscape() else { return nil }
            case "[": guard readSet() else { return nil }
            case "(": guard readGroup() else { return nil }
            case "{": guard readCount() else { return nil }
            case "}", "]": return nil
            default: break
            }
        }
    }

    private var next: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

    /// Reads an escape behind its backslash: a class, a control character, or a character of punctuation.
    private mutating func readEscape() -> Bool {
        guard let scalar = next else { return false }
        offset += 1
        switch scalar {
        case "d", "D", "w", "W", "s", "S", "b", "B":
            hasClasses = true
            // Some engines read \b{start} as the start of a word.
            return next != "{" || (scalar != "b" && scalar != "B")
        case "n", "r", "t": return true
        default: return Self.isPunctuation(scalar)
        }
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        "\\.+*?()|[]{}^$#&-~/@:,;!%=_\"'".unicodeScalars.contains(scalar)
    }

    /// Reads a set behind its bracket. Nested sets and operations between sets differ between engines.
    private mutating func readSet() -> Bool {
        if next == "^" { offset += 1 }
        var isFirst = true
        while let scalar = next, scalar != "]" || isFirst {
            offset += 1
            isFirst = false
            switch scalar {
            case "[":
                // A named class, such as [:alpha:].
                guard next == ":", let end = scalars[offset...].dropFirst().firstIndex(of: ":"),
                    end + 1 < scalars.count, scalars[end + 1] == "]"
                else { return false }
                offset = end + 2
            case "\\":
                guard let escaped = next, escaped != "b", escaped != "B", readEscape() else { return false }
                let isClass = "dDwWsS".unicodeScalars.contains(escaped)
                if isClass, next == "-", offset + 1 < scalars.count, scalars[offset + 1] != "]" { return false }
            case "&", "~", "-": if next == scalar { return false }
            default: break
            }
        }
        guard next == "]" else { return false }
        offset += 1
        return true
    }

    /// Reads the beginning of a group behind its parenthesis: the flags i, s and m, but no name and no look-around.
    private mutating func readGroup() -> Bool {
        guard next == "?" else { return true }
        offset += 1
        let start = offset
        while let scalar = next, "ism".unicodeScalars.contains(scalar) { offset += 1 }
        if next == ":" || (next == ")" && offset > start) {
            let isFlags = next == ")"
            offset += 1
            return !isFlags || next.map { !"*+?{".unicodeScalars.contains($0) } ?? true
        }
        return false
    }

    /// Reads a repetition such as `{2}` or `{2,5}`.
    private mutating func readCount() -> Bool {
        func skipDigits() -> Bool {
            let start = offset
            while let scalar = next, ("0"..."9").contains(scalar) { offset += 1 }
            return offset > start
        }
        guard skipDigits() else { return false }
        if next == "," {
            offset += 1
            _ = skipDigits()
        }
        guard next == "}" else { return false }
        offset += 1
        return true
    }
}
