internal import AlmanacPostgreSQL
public import AlmanacTimestamps

/// What the database holds of an API token.
public struct TokenRecord: Sendable {
    /// Eight letters and digits that name it; no secret.
    public let id: String
    public let digest: [UInt8]
    public let label: String
    public let scopes: [Scope]
    public let createdAt: Timestamp
    public let expiresAt: Timestamp?
    public let lastUsedAt: Timestamp?
    public let revokedAt: Timestamp?

    /// Whether the token opens anything at that time.
    public func isValid(at now: Timestamp) -> Bool {
        revokedAt == nil && (expiresAt.map { now < $0 } ?? true)
    }
}

extension TokenRecord {
    init(_ row: Row) throws(PostgresFailure) {
        id = try row.text("id")
        digest = try row.bytes("digest")
        label = try row.text("label")
        scopes = try row.textArray("scopes").compactMap(Scope.init(rawValue:))
        createdAt = try row.timestamp("created_at")
        expiresAt = try row.optionalTimestamp("expires_at")
        lastUsedAt = try row.optionalTimestamp("last_used_at")
        revokedAt = try row.optionalTimestamp("revoked_at")
    }
}
