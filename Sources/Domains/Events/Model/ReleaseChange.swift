internal import AlmanacJSON
internal import AlmanacRevisions
internal import AlmanacTimestamps

/// A release of the config, as the streams are sent it.
struct ReleaseChange: Sendable {
    let revision: Int64
    let version: String
    let releasedAt: Timestamp
    /// The changed keys; nil when there are more than an event holds.
    let keys: [String]?
    /// Those of them that are no flags, for readers who may not see these; nil when there are too many.
    var valueKeys: [String]? = nil
    /// Whether flags may answer otherwise since then.
    var changesFlags = false

    /// The most keys that an event holds.
    static let mostKeys = 64

    /// The event, in the shape that clients of OFREP expect (ADR 0008): they fetch with the validator that it names.
    ///
    /// - Parameter seesFlags: whether the reader may know the keys of flags.
    func message(lineage: String, spreadMs: Int, seesFlags: Bool = true) -> Message {
        let keys = seesFlags ? keys : valueKeys
        return Message.refetch(
            Cursor(revision: revision, lineage: lineage), version: version,
            changedAt: releasedAt.milliseconds / 1000, keys: keys, spreadMs: spreadMs)
    }
}

extension Message {
    /// The event after which clients fetch what they follow again, in the shape that those of OFREP expect.
    ///
    /// - Parameters:
    ///   - changedAt: in seconds since 1970; nil where that isn't known.
    ///   - keys: what changed; nil where that isn't told.
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
