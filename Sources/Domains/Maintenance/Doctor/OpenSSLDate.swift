internal import AlmanacTimestamps

/// A date as OpenSSL prints it: `Nov  1 09:25:56 2026 GMT`.
enum OpenSSLDate {
    static func timestamp(_ text: String) -> Timestamp? {
        guard text.hasSuffix(" GMT") else { return nil }
        // With a day of the week and without the zone, this is the oldest form of an HTTP date.
        return Timestamp(httpDate: "Day \(text.dropLast(4))", now: .earliest)
    }
}
