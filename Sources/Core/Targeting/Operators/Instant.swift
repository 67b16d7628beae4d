/// A point in time in milliseconds since 1970, for `almanac.date` and `almanac.ramp`.
package struct Instant: Sendable {
    package let milliseconds: Int64

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    init(seconds: Int64) { milliseconds = seconds.multipliedReportingOverflow(by: 1000).partialValue }

    /// Reads a time: a text in RFC 3339 format, or seconds since 1970 like `$flagd.timestamp`.
    ///
    /// - Parameter isLenient: True to accept a text without a time of day, seconds or zone too. The zone is then UTC.
    package init?(_ value: FlagValue, isLenient: Bool) {
        switch value {
        case .number(let number):
            guard number.double.magnitude < 1e12 else { return nil }
            milliseconds = Int64((number.double * 1000).rounded())
        case .string(let text):
            guard let milliseconds = Instant.milliseconds(of: text, isLenient) else { return nil }
            self.milliseconds = milliseconds
        default: return nil
        }
    }

    private static func milliseconds(of text: String, _ isLenient: Bool) -> Int64? {
        var rest = text.utf8[...]
        guard let year = digits(4, &rest), take("-", &rest), let month = digits(2, &rest), take("-", &rest),
            let day = digits(2, &rest), (1...12).contains(month), day >= 1, day <= days(of: month, in: year)
        else { return nil }
        let midnight = days(to: year, month, day) * 86_400_000
        if rest.isEmpty { return isLenient ? midnight : nil }
        guard take("T", &rest) || take("t", &rest) || (isLenient && take(" ", &rest)), let hour = digits(2, &rest),
            take(":", &rest),
            let minute = digits(2, &rest), hour < 24, minute < 60
        else { return nil }
        var time = midnight + (hour * 60 + minute) * 60_000
        if take(":", &rest) {
            guard let second = digits(2, &rest), second < 61 else { return nil }
            time += second * 1000
            if take(".", &rest) {
                guard let fraction = fraction(&rest) else { return nil }
                time += fraction
            }
        } else if !isLenient {
            return nil
        }
        if rest.isEmpty { return isLenient ? time : nil }
        if take("Z", &rest) || take("z", &rest) { return rest.isEmpty ? time : nil }
        let isWest = take("-", &rest)
        guard isWest || take("+", &rest), let hours = digits(2, &rest), hours < 24 else { return nil }
        guard take(":", &rest) || isLenient, let minutes = digits(2, &rest), minutes < 60, rest.isEmpty else {
            return nil
        }
        return time + (hours * 60 + minutes) * (isWest ? 60_000 : -60_000)
    }

    private static func take(_ byte: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: byte) else { return false }
        rest.removeFirst()
        return true
    }

    private static func digits(_ count: Int, _ rest: inout Substring.UTF8View) -> Int64? {
        guard rest.count >= count else { return nil }
        var number: Int64 = 0
        for _ in 0..<count {
            let byte = rest.removeFirst()
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return number
    }

    /// Reads a fraction of a second as milliseconds; digits after the third are ignored.
    private static func fraction(_ rest: inout Substring.UTF8View) -> Int64? {
        var milliseconds: Int64 = 0
        var place: Int64 = 100
        guard let first = digits(1, &rest) else { return nil }
        milliseconds = first * place
        while let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            place /= 10
            milliseconds += Int64(byte - UInt8(ascii: "0")) * place
            rest.removeFirst()
        }
        return milliseconds
    }

    private static func isLeap(_ year: Int64) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    private static func days(of month: Int64, in year: Int64) -> Int64 {
        month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Returns the days since 1970-01-01. Years begin in March here, so the leap day is the last day.
    private static func days(to year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
