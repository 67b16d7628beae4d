internal import AlmanacTargeting

/// A regular expression of a Flagsmith segment as a pattern of `almanac.matches`. Python's `re.match` matches it at the
/// start of a text.
struct FlagsmithPattern {
    /// The pattern for `almanac.matches`.
    private(set) var text = "^(?:"
    /// True if Python's classes or cases have letters or digits beyond ASCII that Almanac's have not.
    private(set) var dependsOnUnicode = false
    private let scalars: [Unicode.Scalar]
    private let node: SourceNode
    private var offset = 0
    private var depth = 0
    private var isMultiline = false

    init(_ pattern: String, _ node: SourceNode) throws(Obstacle) {
        scalars = Array(pattern.unicodeScalars)
        self.node = node
        while offset < scalars.count { try next() }
        text += ")"
        guard SourcePattern(pattern, isPython: true) != nil else { throw unknown() }
    }

    private func unknown() -> Obstacle { node.obstacle("the pattern has syntax that Almanac's patterns do not have") }

    private mutating func copy() {
        text.unicodeScalars.append(scalars[offset])
        offset += 1
    }

    private mutating func next() throws(Obstacle) {
        switch scalars[offset] {
        case "\\": copyEscape()
        case "[": try copySet()
        case "(": try openGroup()
        case ")":
            depth -= 1
            copy()
        case "$" where !isMultiline: try copyEnd()
        default: copy()
        }
    }

    private mutating func copyEscape() {
        copy()
        guard offset < scalars.count else { return }
        if "dDwWsSbB".unicodeScalars.contains(scalars[offset]) { dependsOnUnicode = true }
        copy()
    }

    private mutating func copySet() throws(Obstacle) {
        copy()
        if offset < scalars.count, scalars[offset] == "^" { copy() }
        var isFirst = true
        while offset < scalars.count, isFirst || scalars[offset] != "]" {
            isFirst = false
            // Almanac's patterns have classes such as [:alpha:] inside a set. Python reads a bracket there.
            if scalars[offset] == "[" { text += "\\" }
            if scalars[offset] == "\\" { copyEscape() } else { copy() }
        }
        if offset < scalars.count { copy() }
    }

    /// Opens a group. Flags for the whole pattern stand at its start in Python.
    private mutating func openGroup() throws(Obstacle) {
        let isStart = offset == 0
        depth += 1
        copy()
        guard offset < scalars.count, scalars[offset] == "?" else { return }
        let flags = scalars[(offset + 1)...].prefix { $0 != ":" && $0 != ")" }
        if flags.contains("i") { dependsOnUnicode = true }
        let end = offset + 1 + flags.count
        if end < scalars.count, scalars[end] == ")" {
            guard isStart, !flags.contains("-") else { throw unknown() }
            isMultiline = flags.contains("m")
        } else if flags.contains("m") {
            throw unknown()
        }
    }

    /// Copies an end of the text, which in Python is also before a line feed at the end.
    private mutating func copyEnd() throws(Obstacle) {
        offset += 1
        let closed = scalars[offset...].prefix { $0 == ")" }.count
        let after = offset + closed
        guard after == scalars.count || (scalars[after] == "|" && closed == depth) else { throw unknown() }
        text += "(?:$|\\n$)"
    }
}
