internal import AlmanacJSON
internal import AlmanacRevisions
internal import AlmanacTimestamps

/// A release of the config, as the streams are sent it.
struct ReleaseChange: Sendable {
    let revision: Int64
    let version: String
    let releasedAt: Timestamp
    /// The changed keys of plain values; nil when there are more than an event holds. What flags there are is not for all
    /// who follow.
    let keys: [String]?

    /// The most keys that an event holds.
    static let mostKeys = 64

    /// The event, in the shape that clients of OFREP expect (ADR 0008): they fetch with the validator that it names.
    func message(lineage: String, spreadMs: Int) -> Message {
        Message("refetchEvaluation") { writer in
            writer.member("etag", "\"\(Cursor(revision: revision, lineage: lineage))\"")
            writer.member("lastModified", releasedAt.milliseconds / 1000)
            writer.member("revision", revision)
            writer.member("version", version)
            if let keys { writer.member("keys", keys) }
            writer.member("spreadMs", Int64(spreadMs))
        }
    }
}

/// Keeps thousands of clients from asking for the same thing in the same moment.
enum Spread {
    /// How many clients a second are asked to come.
    private static let rate = 1000
    private static let longest = 60_000

    /// The time over which this many clients should spread what an event makes them do, in milliseconds.
    ///
    /// A few clients need not wait at all.
    static func milliseconds(for streams: Int) -> Int {
        streams < 50 ? 0 : min(streams * 1000 / rate, longest)
    }
}
