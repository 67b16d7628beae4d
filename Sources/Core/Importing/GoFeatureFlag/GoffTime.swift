internal import AlmanacTargeting

/// A time of a file, which YAML and JSON write in RFC 3339, or as a date alone.
struct GoffTime {
    /// The time in RFC 3339.
    let text: String
    let milliseconds: Int64

    init?(_ text: String) {
        self.text = text.utf8.count == 10 ? text + "T00:00:00Z" : text
        guard let instant = Instant(.string(self.text), isLenient: false) else { return nil }
        milliseconds = instant.milliseconds
    }

    /// The whole seconds since 1970, rounded down.
    var seconds: Int64 { (milliseconds - (milliseconds % 1000 + 1000) % 1000) / 1000 }

    /// The time in RFC 3339 without a fraction of a second.
    var wholeText: String {
        guard let point = text.firstIndex(of: ".") else { return text }
        return String(text[..<point] + text[point...].dropFirst().drop { $0.isNumber })
    }

    /// Returns the condition that the present stands in a relation to the time.
    func isNow(_ relation: String) -> FlagValue {
        Logic.operation(
            "almanac.date", [Logic.variable(["$flagd", "timestamp"]), .string(relation), .string(text)])
    }
}

extension SourceNode {
    /// Returns a member that is a time, or nil if there is none.
    func goffTime(_ name: String) throws(Obstacle) -> GoffTime? {
        guard let text = try text(name) else { return nil }
        guard let time = GoffTime(text) else {
            throw Obstacle(reason: "expected a time such as 2026-12-01T09:00:00Z", pointer: pointer + "/" + name)
        }
        return time
    }

    /// Throws if an object has other members, because these may change the meaning.
    func allowOnly(_ names: Set<String>) throws(Obstacle) {
        guard let members else { throw obstacle("expected an object") }
        for member in members where !names.contains(member.name) {
            throw member.node.obstacle("the field \"\(member.name)\" is unknown")
        }
    }
}
