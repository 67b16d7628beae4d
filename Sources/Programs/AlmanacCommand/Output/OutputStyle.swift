internal import AlmanacPOSIX
internal import AlmanacTimestamps

/// How text looks to somebody in front of a terminal; in pipes and files it stays as it is.
struct OutputStyle: Sendable {
    /// What a part of the text is, by its attribute in ECMA-48 (SGR).
    enum Tone: Int {
        case heading = 1
        case removed = 31
        case added = 32
        case changed = 33
    }

    var hasColours = false
    /// The present, where times are told as ages.
    var now: Timestamp?

    /// That of standard output; without colours where the variable NO_COLOR is set (no-color.org).
    static var ofOutput: OutputStyle {
        guard Terminal.isOutput else { return OutputStyle() }
        return OutputStyle(
            hasColours: Process.variable("NO_COLOR") == nil && Process.variable("TERM") != "dumb",
            now: Timestamp(milliseconds: WallClock.milliseconds))
    }

    func paint(_ text: String, _ tone: Tone) -> String {
        hasColours ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// A time in RFC 3339 as an age, or as its day once it is a month old; one that is yet to come stays as it is.
    func time(_ text: String) -> String {
        guard let now, let time = Timestamp(text) else { return text }
        let seconds = (now.milliseconds - time.milliseconds) / 1000
        // Clocks differ a little.
        guard seconds > -60 else { return text }
        switch seconds {
        case ..<60: return "just now"
        case ..<3600: return Self.age(seconds / 60, "minute")
        case ..<86_400: return Self.age(seconds / 3600, "hour")
        case ..<(30 * 86_400): return Self.age(seconds / 86_400, "day")
        default: return String("\(time)".prefix(10))
        }
    }

    private static func age(_ count: Int64, _ unit: String) -> String { "\(count) \(unit)\(count == 1 ? "" : "s") ago" }
}
