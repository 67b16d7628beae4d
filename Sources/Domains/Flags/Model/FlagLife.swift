internal import AlmanacTargeting
internal import AlmanacTimestamps

/// The phase of a flag's life, which tells its owner what to do.
enum FlagLife: String {
    /// Never evaluated, and changed within the last 30 days.
    case new
    case active
    /// Unchanged for 30 days, in which all evaluations gave the same variant. The code can drop the flag.
    case settled
    /// Neither evaluated nor changed for 30 days.
    case unused
    /// On or after the day in the metadata `expires`.
    case due

    /// - Parameters:
    ///   - lastUses: The last evaluation of each variant, and of no variant.
    ///   - now: The time in milliseconds since 1970.
    init(of flag: Flag, updatedAt: Timestamp, lastUses: [Timestamp], now: Int64) {
        let start = Self.recentStart(now)
        let recent = lastUses.count { $0 >= start }
        self =
            if flag.isDue(at: now) {
                .due
            } else if updatedAt >= start {
                lastUses.isEmpty ? .new : .active
            } else {
                recent == 0 ? .unused : recent == 1 ? .settled : .active
            }
    }

    /// Returns the start of the last 30 days.
    static func recentStart(_ now: Int64) -> Timestamp { Timestamp(milliseconds: now - 30 * 86_400_000) }
}

extension Flag {
    /// Returns true on or after the day in the metadata `expires`, an RFC 3339 date or time.
    fileprivate func isDue(at milliseconds: Int64) -> Bool {
        guard case .string(let text)? = metadata("expires") else { return false }
        let time = Timestamp(text) ?? Timestamp(text + "T00:00:00Z")
        return time.map { $0.milliseconds <= milliseconds } ?? false
    }
}
