internal import AlmanacTimestamps

/// Whether the newest backup is as new as a night's should be.
enum BackupCheck {
    /// The age from which it is worth a warning, and an alert.
    private static let tooOld: Int64 = 26 * 3600

    /// - Parameters:
    ///   - newest: the moment that the newest backup holds; nil when there was none.
    ///   - watchedSince: from here its age counts where there is none.
    ///   - now: in milliseconds since 1970.
    static func finding(_ place: String, newest: Timestamp?, watchedSince: Timestamp, now: Int64) -> Finding {
        let advice =
            "run: almanac backup \(place) FILE; and see that one is made every night "
            + "(OPERATING.md, \"Backup and restore\")"
        let seconds = max(0, now - (newest ?? watchedSince).milliseconds) / 1000
        let age = seconds < 7200 ? "\(seconds / 60) minutes" : "\(seconds / 3600) hours"
        guard let newest else {
            return .warning("backup", place, "there was never one, in \(age)", advice: advice)
        }
        guard seconds <= tooOld else {
            return .warning("backup", place, "the newest is \(age) old, of \(newest)", advice: advice)
        }
        return .good("backup", place, "the newest is \(age) old")
    }
}
