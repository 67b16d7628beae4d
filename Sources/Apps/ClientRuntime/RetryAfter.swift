internal import AlmanacTimestamps

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The header `Retry-After` (RFC 9110 §10.2.3): the delay that a server requests.
package enum RetryAfter {
    /// Parses whole seconds or an HTTP date. Returns nil for a date in the past and for an invalid value.
    package static func duration(_ text: String, now: Date) -> Duration? {
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return text.utf8.count <= 9 ? Int64(text).map { .seconds($0) } : nil
        }
        let milliseconds = now.timeIntervalSince1970 * 1000
        guard abs(milliseconds) < 1e14 else { return nil }
        let now = Timestamp(milliseconds: Int64(milliseconds))
        guard let date = Timestamp(httpDate: text, now: now), date > now else { return nil }
        return .milliseconds(date.milliseconds - now.milliseconds)
    }
}

extension TransportResponse {
    /// Returns the delay that the server requests; nil if there is none.
    package func retryAfter(now: Date) -> Duration? {
        headers["Retry-After"].flatMap { RetryAfter.duration($0, now: now) }
    }
}
