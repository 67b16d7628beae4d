internal import Foundation

/// The header `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// - Parameter text: seconds, or an HTTP date.
    static func duration(_ text: String, now: Date) -> Duration? {
        if !text.isEmpty, text.utf8.count <= 9, let seconds = Int(text), seconds >= 0 { return .seconds(seconds) }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        guard let date = formatter.date(from: text) else { return nil }
        let seconds = date.timeIntervalSince(now)
        return seconds > 0 && seconds < 1e9 ? .seconds(seconds) : nil
    }
}
