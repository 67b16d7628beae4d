internal import AlmanacIdentity
internal import AlmanacPostgreSQL
internal import AlmanacTimestamps
internal import AlmanacWebhooks

/// A hook as stored, without its secrets.
struct HookRecord {
    let id: String
    let url: String
    let label: String
    let format: HookFormat
    let types: [String]
    /// Keys, and prefixes with a star; empty for all keys.
    let keys: [String]
    let author: String
    let createdAt: Timestamp
    let disabledAt: Timestamp?
    let disabledReason: String?

    init(_ row: Row) throws(PostgresFailure) {
        id = try row.text("id")
        url = try row.text("url")
        label = try row.text("label")
        format = HookFormat(rawValue: try row.text("format")) ?? .json
        types = try row.textArray("types")
        keys = try row.textArray("keys")
        author = try row.text("author")
        createdAt = try row.timestamp("created_at")
        disabledAt = try row.optionalTimestamp("disabled_at")
        disabledReason = try row.optionalText("disabled_reason")
    }
}

/// A delivery in the list of a hook. The answer's body is never stored.
struct DeliveryRecord {
    let id: Int64
    let eventID: String
    let type: String
    let state: String
    let attempts: Int
    let status: Int?
    let milliseconds: Int?
    let createdAt: Timestamp
    /// The time of the next attempt; nil if there is none.
    let nextAttemptAt: Timestamp?

    init(_ row: Row) throws(PostgresFailure) {
        id = try row.bigint("id")
        eventID = try row.text("event_id")
        type = try row.text("type")
        state = try row.text("state")
        attempts = try row.integer("attempts")
        status = try row.optionalBigint("status").map { Int($0) }
        milliseconds = try row.optionalBigint("milliseconds").map { Int($0) }
        createdAt = try row.timestamp("created_at")
        nextAttemptAt = try row.optionalTimestamp("next_attempt_at")
    }
}
