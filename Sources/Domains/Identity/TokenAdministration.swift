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
