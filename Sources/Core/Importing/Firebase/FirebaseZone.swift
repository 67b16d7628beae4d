/// A time zone of IANA with one rule for summer time since a year.
///
/// Importing has no database of time zones. These are the zones of most projects; a condition with another one cannot
/// be kept.
struct FirebaseZone {
    /// The offset of standard time in minutes.
    private let offset: Int
    private let summer: Summer
    /// The first year of the rule.
    private let since: Int

    private enum Summer {
        case none
        /// From the last Sunday of March to the last Sunday of October, 01:00 UTC.
        case europe
        /// From the second Sunday of March to the first Sunday of November, 02:00 local time.
        case america
        /// From the first Sunday of October to the first Sunday of April, 02:00 standard time.
        case australia
        /// From the last Sunday of September to the first Sunday of April, 02:00 standard time.
        case newZealand
    }

    /// Returns a zone, or nil for an unknown one.
    init?(_ name: String) {
        for (summer, since, zones) in Self.families {
            for (offset, names) in zones where names.split(separator: " ").contains(Substring(name)) {
                (self.offset, self.summer, self.since) = (offset, summer, since)
                return
            }
        }
        return nil
    }

    /// Returns the offset in minutes at a local time, or nil if the time is before the rule, or if clocks skip or
    /// repeat it.
    ///
    /// - Parameter minute: The minute of the day.
    func offset(year: Int, month: Int, day: Int, minute: Int) -> Int? {
        guard year >= since, year < 2100 else { return nil }
        let local = Self.days(year, month, day) * 1440 + minute
        guard let (start, end) = changes(in: year) else { return offset }
        func isSummer(_ utc: Int) -> Bool { start < end ? (start..<end).contains(utc) : !(end..<start).contains(utc) }
        let fits = [0, 60].filter { extra in isSummer(local - offset - extra) == (extra > 0) }
        return fits.count == 1 ? offset + fits[0] : nil
    }

    /// Returns the times at which summer time begins and ends, in minutes of UTC since 1970.
    private func changes(in year: Int) -> (start: Int, end: Int)? {
        switch summer {
        case .none: nil
        case .europe: (Self.sunday(year, 3, nil) * 1440 + 60, Self.sunday(year, 10, nil) * 1440 + 60)
        case .america:
            (
                Self.sunday(year, 3, 2) * 1440 + 120 - offset, Self.sunday(year, 11, 1) * 1440 + 60 - offset
            )
        case .australia:
            (
                Self.sunday(year, 10, 1) * 1440 + 120 - offset, Self.sunday(year, 4, 1) * 1440 + 120 - offset
            )
        case .newZealand:
            (
                Self.sunday(year, 9, nil) * 1440 + 120 - offset, Self.sunday(year, 4, 1) * 1440 + 120 - offset
            )
        }
    }

    /// Returns the day of a Sunday in days since 1970: the first, the second, or with nil the last of a month.
    private static func sunday(_ year: Int, _ month: Int, _ number: Int?) -> Int {
        let first = number.map { days(year, month, 1 + 7 * ($0 - 1)) } ?? days(year, month + 1, 1) - 7
        // 1970-01-01 was a Thursday.
        return first + (7 - (first + 4) % 7) % 7
    }

    /// Returns the days since 1970-01-01, from 1970 on.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let starts = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
        let before = year - 1
        return (year - 1970) * 365 + (before / 4 - before / 100 + before / 400) - 477
            + starts[month - 1] + (month > 2 && isLeap ? 1 : 0) + day - 1
    }

    private static let families: [(Summer, since: Int, [(offset: Int, names: String)])] = [
        (
            .none, since: 1970,
            [(0, "UTC GMT Etc/UTC Etc/GMT Etc/Universal Universal Zulu Etc/Zulu")]
        ),
        (
            .none, since: 2017,
            [
                (-600, "Pacific/Honolulu"), (-420, "America/Phoenix"),
                (-300, "America/Bogota America/Lima America/Panama America/Jamaica"),
                (-180, "America/Argentina/Buenos_Aires America/Buenos_Aires"), (0, "Africa/Abidjan Africa/Accra"),
                (60, "Africa/Lagos Africa/Algiers Africa/Tunis"), (120, "Africa/Johannesburg Africa/Maputo"),
                (180, "Europe/Moscow Europe/Istanbul Europe/Minsk Africa/Nairobi Asia/Riyadh Asia/Baghdad Asia/Kuwait"),
                (240, "Asia/Dubai Asia/Tbilisi Asia/Yerevan Asia/Baku"), (300, "Asia/Karachi Asia/Tashkent"),
                (330, "Asia/Kolkata Asia/Calcutta Asia/Colombo"), (345, "Asia/Kathmandu"), (360, "Asia/Dhaka"),
                (420, "Asia/Bangkok Asia/Jakarta Asia/Ho_Chi_Minh Asia/Saigon"),
                (480, "Asia/Shanghai Asia/Hong_Kong Asia/Singapore Asia/Taipei Asia/Manila Asia/Kuala_Lumpur"),
                (480, "Australia/Perth"), (540, "Asia/Tokyo Asia/Seoul"), (600, "Australia/Brisbane"),
            ]
        ),
        (.none, since: 2020, [(-180, "America/Sao_Paulo")]), (.none, since: 2023, [(-360, "America/Mexico_City")]),
        (
            .europe, since: 1996,
            [
                (0, "Europe/London Europe/Dublin Europe/Lisbon"),
                (60, "Europe/Berlin Europe/Paris Europe/Madrid Europe/Rome Europe/Amsterdam Europe/Brussels"),
                (60, "Europe/Vienna Europe/Zurich Europe/Stockholm Europe/Oslo Europe/Copenhagen Europe/Warsaw"),
                (60, "Europe/Prague Europe/Budapest Europe/Belgrade Europe/Zagreb Europe/Luxembourg"),
            ]
        ),
        (
            .europe, since: 2004,
            [
                (120, "Europe/Athens Europe/Helsinki Europe/Kiev Europe/Kyiv Europe/Bucharest Europe/Sofia"),
                (120, "Europe/Vilnius Europe/Riga Europe/Tallinn"),
            ]
        ),
        (
            .america, since: 2012,
            [
                (-540, "America/Anchorage"), (-480, "America/Los_Angeles US/Pacific America/Vancouver"),
                (-420, "America/Denver US/Mountain America/Edmonton"),
                (-360, "America/Chicago US/Central America/Winnipeg"),
                (-300, "America/New_York US/Eastern America/Toronto America/Detroit"), (-240, "America/Halifax"),
            ]
        ),
        (
            .australia, since: 2009,
            [(600, "Australia/Sydney Australia/Melbourne Australia/Hobart"), (570, "Australia/Adelaide")]
        ),
        (.newZealand, since: 2009, [(720, "Pacific/Auckland")]),
    ]
}
