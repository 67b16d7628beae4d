internal import AlmanacTimestamps

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension Timestamp {
    /// Converts a time of the client libraries, to the millisecond.
    init(_ date: Date) { self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded())) }

    /// The time as the client libraries represent it.
    var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
