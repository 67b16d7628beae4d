internal import AlmanacPOSIX

/// The check that this machine's clock is synchronized, and that another clock agrees with it.
enum ClockCheck {
    /// - Parameter isSynchronized: the kernel's statement; nil if it makes none.
    static func finding(isSynchronized: Bool? = WallClock.isSynchronized) -> Finding {
        let advice = "run chrony or systemd-timesyncd here (timedatectl shows whether one works)"
        return switch isSynchronized {
        case nil: .skipped("clock", "this machine", "the kernel does not say whether a time service keeps it right")
        case true?: .good("clock", "this machine", "a time service keeps it right")
        case false?: .warning("clock", "this machine", "no time service keeps it right", advice: advice)
        }
    }

    /// - Parameters:
    ///   - milliseconds: the time by which the other clock is ahead.
    ///   - tolerance: in milliseconds.
    static func finding(_ place: String, _ whose: String, ahead milliseconds: Int64, tolerance: Int64) -> Finding {
        guard abs(milliseconds) > tolerance else {
            return .good("clock", place, "\(whose) and this machine's agree")
        }
        let direction = milliseconds > 0 ? "ahead of" : "behind"
        return .failed(
            "clock", place, "\(whose) is \(abs(milliseconds) / 1000) s \(direction) this machine's",
            advice: "keep the clocks of all hosts right with chrony or systemd-timesyncd (timedatectl shows it)")
    }
}
