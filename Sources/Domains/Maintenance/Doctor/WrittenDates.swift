internal import AlmanacTimestamps

/// The date of an HTTP header (RFC 9110 §5.6.7): `Sat, 17 Oct 2020 18:43:19 GMT`.
enum HTTPDate {
    static func timestamp(_ text: String) -> Timestamp? {
        guard let parts = text.wholeMatch(of: /\w{3}, (\d{2}) (\w{3}) (\d{4}) ([\d:]{8}) GMT/)?.output else {
            return nil
        }
        return WrittenDate.timestamp(day: parts.1, month: parts.2, year: parts.3, time: parts.4)
    }
}

/// A date as OpenSSL prints it: `Nov  1 09:25:56 2026 GMT`.
enum OpenSSLDate {
    static func timestamp(_ text: String) -> Timestamp? {
        guard let parts = text.wholeMatch(of: /(\w{3}) +(\d{1,2}) ([\d:]{8}) (\d{4}) GMT/)?.output else { return nil }
        return WrittenDate.timestamp(day: parts.2, month: parts.1, year: parts.4, time: parts.3)
    }
}

private enum WrittenDate {
    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func timestamp(day: Substring, month: Substring, year: Substring, time: Substring) -> Timestamp? {
        guard let number = months.firstIndex(of: month) else { return nil }
        func padded(_ text: String) -> String { text.utf8.count == 1 ? "0" + text : text }
        return Timestamp("\(year)-\(padded(String(number + 1)))-\(padded(String(day)))T\(time)Z")
    }
}
