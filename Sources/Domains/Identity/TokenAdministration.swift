public import AlmanacPostgreSQL
public import AlmanacTimestamps

/// Making, listing and revoking API tokens, as the owner of the schema.
public struct TokenAdministration {
    private let connection: Connection

    public init(_ connection: Connection) {
        self.connection = connection
    }

    /// Makes a token for an environment and tells the workers.
    ///
    /// - Returns: the token, which cannot be had again, and what is stored of it.
    public func create(
        environment: String, label: String, scopes: [Scope], expiresAt: Timestamp?
    ) throws(PostgresFailure) -> (token: APIToken, record: TokenRecord) {
        let token = APIToken(environment: environment)
        let rows = try connection.run(
            TokenStatements.insert, .bytes(token.digest), .text(label), .textArray(scopes.map(\.rawValue)),
            .timestamp(expiresAt))
        try connection.run(TokenStatements.announce)
        return (token, try TokenRecord(rows[0]))
    }

    /// All tokens ever made, oldest first.
    public func list() throws(PostgresFailure) -> [TokenRecord] {
        var records: [TokenRecord] = []
        for row in try connection.run(TokenStatements.all) { records.append(try TokenRecord(row)) }
        return records
    }

    /// Ends a token's use for good and tells the workers; nil when there is none with that id.
    public func revoke(id: String) throws(PostgresFailure) -> TokenRecord? {
        guard let row = try connection.run(TokenStatements.revoke, .text(id)).first else { return nil }
        try connection.run(TokenStatements.announce)
        return try TokenRecord(row)
    }
}

/// The SQL of API tokens.
enum TokenStatements {
    static let all = Statement(
        """
        -- name: token_all
        select id, digest, label, scopes, created_at, expires_at, last_used_at, revoked_at
        from api_tokens order by created_at, id
        """)

    static let insert = Statement(
        """
        -- name: token_insert
        insert into api_tokens (id, digest, label, scopes, expires_at)
        values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 8), $1, $2, $3, $4)
        returning id, digest, label, scopes, created_at, expires_at, last_used_at, revoked_at
        """)

    static let revoke = Statement(
        """
        -- name: token_revoke
        update api_tokens set revoked_at = coalesce(revoked_at, date_trunc('milliseconds', clock_timestamp()))
        where id = $1
        returning id, digest, label, scopes, created_at, expires_at, last_used_at, revoked_at
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
