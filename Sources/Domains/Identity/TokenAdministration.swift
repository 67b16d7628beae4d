public import AlmanacPostgreSQL
public import AlmanacTimestamps

/// Creates, lists and revokes API tokens. Each change is recorded in the audit log.
public struct TokenAdministration {
    private let connection: Connection
    private let author: Author

    public init(_ connection: Connection, by author: Author) {
        self.connection = connection
        self.author = author
    }

    /// Creates a token for an environment and notifies the workers.
    ///
    /// - Returns: the token, which is stored nowhere else, and its record.
    public func create(
        environment: String, label: String, scopes: [Scope], expiresAt: Timestamp?
    ) throws(PostgresFailure) -> (token: APIToken, record: TokenRecord) {
        let token = APIToken(environment: environment)
        return (token, try create(token, label: label, scopes: scopes, expiresAt: expiresAt))
    }

    /// Creates the record of a token whose text already exists.
    public func create(
        _ token: APIToken, label: String, scopes: [Scope], expiresAt: Timestamp?
    ) throws(PostgresFailure) -> TokenRecord {
        let rows = try connection.run(
            TokenStatements.make,
            with: [
                .bytes(token.digest), .text(label), .textArray(scopes.map(\.rawValue)), .timestamp(expiresAt),
            ] + AuditStatements.parameters(of: author))
        try connection.run(TokenStatements.announce)
        return try TokenRecord(rows[0])
    }

    /// Returns all tokens ever created, oldest first.
    public func list() throws(PostgresFailure) -> [TokenRecord] {
        var records: [TokenRecord] = []
        for row in try connection.run(TokenStatements.all) { records.append(try TokenRecord(row)) }
        return records
    }

    /// Revokes a token and notifies the workers; nil if no token has the id.
    public func revoke(id: String) throws(PostgresFailure) -> TokenRecord? {
        let rows = try connection.run(
            TokenStatements.revoke, with: [.text(id)] + AuditStatements.parameters(of: author))
        guard let row = rows.first else { return nil }
        try connection.run(TokenStatements.announce)
        return try TokenRecord(row)
    }

    /// Replaces a token with one of the same label and scopes; nil if no valid token has the id.
    ///
    /// - Parameters:
    ///   - expiresAt: the new token's expiry; nil for the same lifetime as the old token's.
    ///   - overlap: the time during which both tokens are valid, in seconds.
    public func rotate(
        id: String, to token: APIToken, expiresAt: Timestamp?, overlap: Int64
    ) throws(PostgresFailure) -> TokenRecord? {
        let rows = try connection.run(
            TokenStatements.rotate,
            with: [
                .text(id), .bytes(token.digest), .timestamp(expiresAt), .bigint(overlap),
            ] + AuditStatements.parameters(of: author))
        guard let row = rows.first else { return nil }
        try connection.run(TokenStatements.announce)
        return try TokenRecord(row)
    }
}

enum TokenStatements {
    private static let columns = "id, digest, label, scopes, created_at, expires_at, last_used_at, revoked_at"

    static let all = Statement(
        """
        -- name: token_all
        select \(columns) from api_tokens order by created_at, id
        """)

    static let make = Statement(
        """
        -- name: token_make
        select \(columns) from make_api_token($1, $2, $3, $4, $5, $6, $7)
        """)

    static let revoke = Statement(
        """
        -- name: token_revoke
        select \(columns) from revoke_api_token($1, $2, $3, $4)
        """)

    static let rotate = Statement(
        """
        -- name: token_rotate
        select \(columns) from rotate_api_token($1, $2, $3, make_interval(secs => $4), $5, $6, $7)
        """)

    static let used = Statement(
        """
        -- name: token_used
        update api_tokens t set last_used_at = greatest(t.last_used_at, u.used_at)
        from unnest($1, $2) as u (id, used_at) where t.id = u.id
        """)

    static let announce = Statement(
        """
        -- name: token_announce
        select pg_notify('almanac_tokens', '')
        """)
}
