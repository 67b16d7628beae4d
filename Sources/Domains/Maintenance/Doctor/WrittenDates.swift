internal import AlmanacTimestamps

/// A date as OpenSSL prints it: `Nov  1 09:25:56 2026 GMT`.
enum OpenSSLDate {
    static func timestamp(_ text: String) -> Timestamp? {
        guard text.hasSuffix(" GMT") else { return nil }
        // The oldest form of an HTTP date, but for the day of the week and the zone.
        return Timestamp(httpDate: "Day \(text.dropLast(4))", now: .earliest)
    }
}
