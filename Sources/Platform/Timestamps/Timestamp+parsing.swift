extension Timestamp {
    /// Reads an RFC 3339 `date-time`, with or without fractional seconds, with `Z` or a numeric offset.
    ///
    /// Digits after the millisecond are ignored. A leap second (`:60`) counts as the second after it. Returns nil for
    /// any other text, for an impossible date, and outside the years 0001 to 9999.
    public init?(_ text: some StringProtocol) {
        var reader = FieldReader(Array(text.utf8))
        guard let year = reader.number(digits: 4), reader.skip("-"), let month = reader.number(digits: 2),
            reader.skip("-"), let day = reader.number(digits: 2), reader.skip("T", "t"),
            let hour = reader.number(digits: 2), reader.skip(":"), let minute = reader.number(digits: 2),
            reader.skip(":"), let second = reader.number(digits: 2), let millisecond = reader.fraction(),
            let offset = reader.offsetInMinutes(), reader.isAtEnd
        else { return nil }
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...CivilTime.days(inMonth: month, of: year)).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        let civil = CivilTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: millisecond)
        let seconds = ((civil.daysSinceEpoch * 24 + hour) * 60 + minute - offset) * 60 + second
        self.init(milliseconds: Int64(seconds * 1000 + millisecond))
        guard (Timestamp.earliest...Timestamp.latest).contains(self) else { return nil }
    }
}

/// A reader of the fixed-width fields of a date, from left to right.
private struct FieldReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    private var next: UInt8? { isAtEnd ? nil : bytes[position] }

    mutating func skip(_ accepted: Unicode.Scalar...) -> Bool {
        guard let next, accepted.contains(Unicode.Scalar(next)) else { return false }
        position += 1
        return true
    }

    mutating func number(digits: Int) -> Int? {
        var number = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Reads an optional `.` with one or more digits, and returns milliseconds.
    mutating func fraction() -> Int? {
        guard skip(".") else { return 0 }
        guard let first = digit() else { return nil }
        var milliseconds = first * 100
        var weight = 10
        while let digit = digit() {
            milliseconds += digit * weight
            weight /= 10
        }
        return milliseconds
    }

    mutating func offsetInMinutes() -> Int? {
        if skip("Z", "z") { return 0 }
        let sign: Int
        if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
        guard let hours = number(digits: 2), hours < 24, skip(":"),
            let minutes = number(digits: 2), minutes < 60
        else { return nil }
        return sign * (hours * 60 + minutes)
    }

    private mutating func digit() -> Int? {
        guard let next, (48...57).contains(next) else { return nil }
        position += 1
        return Int(next) - 48
    }
}
