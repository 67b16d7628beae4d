internal import AlmanacPOSIX

/// The check that this machine's clock is synchronized, and that another clock agrees with it.
enum ClockCheck {
    /// - Parameter isSynchronized: the kernel's statement; nil if it makes none.
    static func finding(isSynchronized: Bool? = WallClock.isSynchronized) -> Finding {
        let advice = "run chrony or systemd-timesyncd on this machine (timedatectl shows the state)"
        return switch isSynchronized {
        case nil:
            .skipped("clock", "this machine", "the kernel does not say whether a time service synchronizes the clock")
        case true?: .good("clock", "this machine", "a time service synchronizes the clock")
        case false?: .warning("clock", "this machine", "no time service synchronizes the clock", advice: advice)
        }
    }

    /// - Parameters:
    ///   - milliseconds: the time by which the other clock is ahead.
    ///   - tolerance: in milliseconds.
    static func finding(_ place: String, _ whose: String, ahead milliseconds: Int64, tolerance: Int64) -> Finding {
        guard abs(milliseconds) > tolerance else {
            return .good("clock", place, "\(whose) and this machine's clock agree")
        }
        let direction = milliseconds > 0 ? "ahead of" : "behind"
        return .failed(
            "clock", place, "\(whose) is \(abs(milliseconds) / 1000) s \(direction) this machine's clock",
            advice: "synchronize the clocks of all hosts with chrony or systemd-timesyncd (timedatectl shows the state)"
        )
    }
}
