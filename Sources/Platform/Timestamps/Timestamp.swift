/// An instant in UTC with millisecond precision, from year 0001 to year 9999.
///
/// The text forms are RFC 3339 (`2020-10-17T18:43:19.000Z`) and the HTTP date of RFC 9110 §5.6.7.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
    public let milliseconds: Int64

    /// The earliest possible instant: 0001-01-01T00:00:00.000Z.
    public static let earliest = Timestamp(milliseconds: -62_135_596_800_000)
    /// The latest possible instant: 9999-12-31T23:59:59.999Z.
    public static let latest = Timestamp(milliseconds: 253_402_300_799_999)

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// Returns this instant moved by a number of seconds, which may be negative.
    public func advanced(bySeconds seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: milliseconds + seconds * 1000)
    }
}

extension Timestamp: CustomStringConvertible {
    /// The RFC 3339 form in UTC, always with three fractional digits: `2020-10-17T18:43:19.000Z`.
    public var description: String {
        let civil = CivilTime(self)
        return "\(padded(civil.year, 4))-\(padded(civil.month, 2))-\(padded(civil.day, 2))"
            + "T\(padded(civil.hour, 2)):\(padded(civil.minute, 2)):\(padded(civil.second, 2))"
            + ".\(padded(civil.millisecond, 3))Z"
    }

    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The form of HTTP headers, in whole seconds and GMT: `Sat, 17 Oct 2020 18:43:19 GMT`.
    public var httpDate: String {
        let civil = CivilTime(self)
        let weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][civil.weekday]
        let month = Self.months[civil.month - 1]
        return "\(weekday), \(padded(civil.day, 2)) \(month) \(padded(civil.year, 4)) "
            + "\(padded(civil.hour, 2)):\(padded(civil.minute, 2)):\(padded(civil.second, 2)) GMT"
    }
}

func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
