internal import AlmanacTimestamps

/// The check that the newest backup is recent enough for nightly backups.
enum BackupCheck {
    /// The age at which the doctor warns and an alert fires, in seconds.
    private static let maxAge: Int64 = 26 * 3600

    /// - Parameters:
    ///   - newest: the time of the newest backup; nil if there was none.
    ///   - watchedSince: the start of the age without a backup.
    ///   - now: in milliseconds since 1970.
    static func finding(_ place: String, newest: Timestamp?, watchedSince: Timestamp, now: Int64) -> Finding {
        let advice =
            "run: almanac backup \(place) FILE; then set up a backup every night "
            + "(OPERATING.md, \"Back up and restore\")"
        let seconds = max(0, now - (newest ?? watchedSince).milliseconds) / 1000
        let age = seconds < 7200 ? "\(seconds / 60) minutes" : "\(seconds / 3600) hours"
        guard let newest else {
            return .warning("backup", place, "there was never a backup, in \(age)", advice: advice)
        }
        guard seconds <= maxAge else {
            return .warning("backup", place, "the newest backup is \(age) old, of \(newest)", advice: advice)
        }
        return .good("backup", place, "the newest backup is \(age) old")
    }
}
