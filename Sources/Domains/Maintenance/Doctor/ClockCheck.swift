/// Whether another clock is as far as it may be from this machine's.
enum ClockCheck {
    /// - Parameters:
    ///   - milliseconds: how far the other clock is ahead.
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
