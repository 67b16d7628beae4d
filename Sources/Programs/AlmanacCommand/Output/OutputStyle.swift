internal import AlmanacPOSIX
internal import AlmanacTimestamps

/// The style of text on a terminal; pipes and files get plain text.
struct OutputStyle: Sendable {
    /// The meaning of a part of the text; the raw value is its SGR attribute (ECMA-48).
    enum Tone: Int {
        case heading = 1
        case removed = 31
        case added = 32
        case changed = 33
    }

    var usesColours = false
    /// The current time, if times are shown as ages.
    var now: Timestamp?

    /// The style for standard output; without colours if the variable NO_COLOR is set (no-color.org).
    static var ofOutput: OutputStyle {
        guard Terminal.isOutput else { return OutputStyle() }
        return OutputStyle(
            usesColours: Process.variable("NO_COLOR") == nil && Process.variable("TERM") != "dumb",
            now: Timestamp(milliseconds: WallClock.milliseconds))
    }

    func paint(_ text: String, _ tone: Tone) -> String {
        usesColours ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Formats an RFC 3339 time as an age, or as its day once it is a month old. A future time stays unchanged.
    func time(_ text: String) -> String {
        guard let now, let time = Timestamp(text) else { return text }
        let seconds = (now.milliseconds - time.milliseconds) / 1000
        // Clocks may differ by up to a minute.
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
