internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacRevisions
internal import AlmanacTimestamps

/// What the streams are told of a release of the config.
struct Release: Sendable {
    let revision: Int64
    let version: String
    let releasedAt: Timestamp
    /// The changed keys; nil when there are more than an event holds.
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

extension Release {
    init(_ row: Row) throws(PostgresFailure) {
        revision = try row.bigint("revision")
        version = "\(try row.integer("major")).\(try row.integer("minor")).\(try row.integer("patch"))"
        releasedAt = try row.timestamp("released_at")
        let keys = try row.textArray("keys")
        self.keys = keys.count > Self.mostKeys ? nil : keys
    }
}
