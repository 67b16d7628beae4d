public import AlmanacPostgreSQL
public import AlmanacTimestamps

/// Creates, lists, changes and revokes API tokens. Each change is recorded in the audit log.
public struct TokenAdministration {
    private let connection: Connection
    private let author: Author
    private let owners: Owners

    /// The people for whom an author may make and change tokens.
    public enum Owners: Sendable {
        /// Everybody, for the host's command line.
        case everybody
        /// The author's own person, or nobody if the author is a service account. Scopes for approvals are given only
        /// by an author who has them, and so are scopes for switching off a flag where this needs approvals.
        case only(VerifiedUser?, scopes: [Scope], needsApprovalToDisable: Bool)
    }

    public init(_ connection: Connection, by author: Author, for owners: Owners = .everybody) {
        self.connection = connection
        self.author = author
        self.owners = owners
    }

    /// Creates a token for an environment and notifies the workers.
    ///
    /// - Parameter owner: a person who is known and present, see ``PeopleAdministration``, and for whom the author may
    ///   make tokens; nil for a service account.
    /// - Returns: the token, which is stored nowhere else, and its record.
    public func create(
        environment: String, label: String, scopes: [Scope], expiresAt: Timestamp?, owner: VerifiedUser? = nil,
        purpose: String = ""
    ) throws -> (token: APIToken, record: TokenRecord) {
        let token = APIToken(environment: environment)
        return (
            token,
            try create(token, label: label, scopes: scopes, expiresAt: expiresAt, owner: owner, purpose: purpose)
        )
    }

    /// Creates the record of a token whose text already exists. Throws `unknownOwner` if no such person is present, and
    /// `otherOwner` if the author may make no tokens for the person, and `approvalScope` if the author lacks a scope
    /// for approvals.
    public func create(
        _ token: APIToken, label: String, scopes: [Scope], expiresAt: Timestamp?, owner: VerifiedUser? = nil,
        purpose: String = ""
    ) throws -> TokenRecord {
        try check(owner)
        try check(scopes)
        let rows = try connection.run(
            TokenStatements.make,
            with: [
                .bytes(token.digest), .text(label), .textArray(scopes.map(\.rawValue)), .timestamp(expiresAt),
                .text(owner?.issuer), .text(owner?.subject), .text(purpose),
            ] + AuditStatements.parameters(of: author))
        try connection.run(TokenStatements.announce)
        return try TokenRecord(rows[0])
    }

    /// The change of a token's owner.
    public enum OwnerChange: Sendable {
        case keep
        /// Makes a person the owner, or nobody, as for a service account.
        case set(VerifiedUser?)
    }

    /// Changes a token and notifies the workers; nil if no token has the id. Throws `unknownOwner` and `otherOwner`
    /// like `create`, and `otherToken` if the token's owner is somebody else and stays.
    ///
    /// - Parameters:
    ///   - label: nil keeps the label.
    ///   - purpose: nil keeps the purpose.
    public func change(
        id: String, label: String? = nil, purpose: String? = nil, owner: OwnerChange = .keep
    ) throws -> TokenRecord? {
        var (setsOwner, newOwner) = (false, VerifiedUser?.none)
        if case .set(let user) = owner { (setsOwner, newOwner) = (true, user) }
        try check(newOwner)
        let parameters =
            [
                .text(id), .text(label), .text(purpose), .boolean(setsOwner), .text(newOwner?.issuer),
                .text(newOwner?.subject),
            ] + AuditStatements.parameters(of: author)
        return try changed(
            id, removesOwner: setsOwner && newOwner == nil, setsOwner: newOwner != nil, TokenStatements.change,
            parameters)
    }

    /// Runs a change of a token. Throws `otherToken` if the author may not change tokens of the token's owner.
    private func changed(
        _ id: String, removesOwner: Bool = false, setsOwner: Bool = false, _ statement: Statement,
        _ parameters: [Parameter]
    ) throws -> TokenRecord? {
        try connection.transaction { connection in
            if case .only(let own, _, _) = owners, !removesOwner,
                let row = try connection.run(TokenStatements.lock, .text(id)).first
            {
                if let issuer = try row.optionalText("owner_issuer"),
                    let subject = try row.optionalText("owner_subject"),
                    VerifiedUser(issuer: issuer, subject: subject) != own
                {
                    throw PeopleFailure.otherToken
                }
                if setsOwner { try check(try row.textArray("scopes").compactMap(Scope.init(rawValue:))) }
            }
            guard let row = try connection.run(statement, with: parameters).first else { return nil }
            try connection.run(TokenStatements.announce)
            return try TokenRecord(row)
        }
    }

    private func check(_ owner: VerifiedUser?) throws {
        guard let owner else { return }
        if case .only(let own, _, _) = owners, owner != own { throw PeopleFailure.otherOwner }
        let person = try PeopleAdministration(connection, by: author).find(owner)
        guard let person, person.removedAt == nil else { throw PeopleFailure.unknownOwner }
    }

    /// Refuses scopes for approvals that the author lacks, because nobody gives themselves the right to approve.
    private func check(_ scopes: [Scope]) throws(PeopleFailure) {
        guard case .only(_, let own, let needsApprovalToDisable) = owners else { return }
        for scope in scopes where !own.contains(where: { $0.includes(scope) }) {
            if scope.isOfApprovals { throw .approvalScope }
            if case .flagDisable = scope, needsApprovalToDisable { throw .approvalScope }
        }
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

    /// Replaces a token with one of the same label and scopes; nil if no valid token has the id. Throws `otherToken` if
    /// the token's owner is somebody else.
    ///
    /// - Parameters:
    ///   - expiresAt: the new token's expiry; nil for the same lifetime as the old token's.
    ///   - overlap: the time during which both tokens are valid, in seconds.
    public func rotate(
        id: String, to token: APIToken, expiresAt: Timestamp?, overlap: Int64
    ) throws -> TokenRecord? {
        let parameters =
            [
                .text(id), .bytes(token.digest), .timestamp(expiresAt), .bigint(overlap),
            ] + AuditStatements.parameters(of: author)
        return try changed(id, TokenStatements.rotate, parameters)
    }
}

enum TokenStatements {
    private static let columns = """
        t.id, t.digest, t.label, t.scopes, t.created_at, t.expires_at, t.last_used_at, t.revoked_at, t.owner_issuer,
        t.owner_subject, t.purpose, p.name as owner_name, p.removed_at as owner_removed_at
        """
    private static let owner = "t left join people p on p.issuer = t.owner_issuer and p.subject = t.owner_subject"

    static let all = Statement(
        """
        -- name: token_all
        select \(columns) from api_tokens \(owner) order by t.created_at, t.id
        """)

    static let make = Statement(
        """
        -- name: token_make
        select \(columns) from make_api_token($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) \(owner)
        """)

    static let change = Statement(
        """
        -- name: token_change
        select \(columns) from change_api_token($1, $2, $3, $4, $5, $6, $7, $8, $9) \(owner)
        """)

    static let lock = Statement(
        """
        -- name: token_lock
        select owner_issuer, owner_subject, scopes from api_tokens where id = $1 for update
        """)

    static let revoke = Statement(
        """
        -- name: token_revoke
        select \(columns) from revoke_api_token($1, $2, $3, $4) \(owner)
        """)

    static let rotate = Statement(
        """
        -- name: token_rotate
        select \(columns) from rotate_api_token($1, $2, $3, make_interval(secs => $4), $5, $6, $7) \(owner)
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
