internal import AlmanacJSON
internal import AlmanacRevisions
internal import AlmanacTimestamps

/// A release of the config, as sent to the streams.
struct ReleaseChange: Sendable {
    let revision: Int64
    let version: String
    let releasedAt: Timestamp
    /// The changed keys; nil if there are more than an event can hold.
    let keys: [String]?
    /// The changed keys of plain values, for readers who may not see flags; nil if there are too many.
    var valueKeys: [String]? = nil
    /// True if evaluations of flags may differ after the release.
    var changesFlags = false

    /// The maximum number of keys in an event.
    static let maxKeys = 64

    /// Returns the event in the shape that OFREP clients expect (ADR 0008): they fetch with the validator in the event.
    ///
    /// - Parameter seesFlags: True if the reader may know the keys of flags.
    func message(lineage: String, spreadMs: Int, seesFlags: Bool = true) -> Message {
        let keys = seesFlags ? keys : valueKeys
        return Message.refetch(
            Cursor(revision: revision, lineage: lineage), version: version,
            changedAt: releasedAt.milliseconds / 1000, keys: keys, spreadMs: spreadMs)
    }
}

extension Message {
    /// Returns the event that makes clients refetch, in the shape that OFREP clients expect.
    ///
    /// - Parameters:
    ///   - changedAt: The time of the change in seconds since 1970; nil if unknown.
    ///   - keys: The changed keys; nil if they are not sent.
    static func refetch(
        _ cursor: Cursor, version: String, changedAt: Int64?, keys: [String]? = nil, spreadMs: Int
    ) -> Message {
        Message("refetchEvaluation") { writer in
            writer.member("etag", "\"\(cursor)\"")
            if let changedAt { writer.member("lastModified", changedAt) }
            writer.member("revision", cursor.revision)
            writer.member("version", version)
            if let keys { writer.member("keys", keys) }
            writer.member("spreadMs", Int64(spreadMs))
        }
    }
}

/// The delays that prevent thousands of clients from sending the same request at the same moment.
enum Spread {
    /// The target rate of clients per second.
    private static let clientsPerSecond = 1000
    private static let maxMilliseconds = 60_000

    /// Returns the time over which clients should spread their requests after an event, in milliseconds. Fewer than 50
    /// clients need no delay.
    static func milliseconds(for streams: Int) -> Int {
        streams < 50 ? 0 : min(streams * 1000 / clientsPerSecond, maxMilliseconds)
    }
}
