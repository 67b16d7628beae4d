public import AlmanacCryptography
public import AlmanacJSON
internal import AlmanacPostgreSQL
public import AlmanacTimestamps

/// The secret of an operator or an app: `almanac_<environment>_<random>`.
///
/// The random part has 256 bits, so storing a plain SHA-256 of the token is safe (OWASP ASVS 5.0, §11.4).
public struct APIToken: Sendable {
    /// The whole token. Shown once, at its creation; never logged.
    public let text: String

    /// Creates a token.
    ///
    /// - Parameter secret: the random part, 32 bytes.
    public init(environment: String, secret: [UInt8] = RandomBytes.make(count: 32)) {
        text = "almanac_\(environment)_" + Base64URL.encode(secret)
    }

    /// Reads a presented token; nil if the text can't be a token of the environment.
    public init?(_ text: some StringProtocol, environment: String) {
        let prefix = "almanac_\(environment)_"
        guard text.utf8.count == prefix.utf8.count + 43, text.hasPrefix(prefix) else { return nil }
        self.text = String(text)
    }

    /// The SHA-256 of the whole token, 32 bytes.
    public var digest: [UInt8] { SHA256.digest(Array(text.utf8)) }
}

/// An API token as stored in the database.
public struct TokenRecord: Sendable {
    /// The public name of the token: eight letters and digits.
    public let id: String
    public let digest: [UInt8]
    public let label: String
    public let scopes: [Scope]
    public let createdAt: Timestamp
    public let expiresAt: Timestamp?
    public let lastUsedAt: Timestamp?
    public let revokedAt: Timestamp?
    /// The person who owns the token; nil for a service account.
    public let owner: TokenOwner?
    /// The purpose of the token in up to 200 characters; may be empty.
    public let purpose: String

    /// The record without its digest.
    public var json: JSONValue {
        let times = [
            ("created_at", createdAt), ("expires_at", expiresAt), ("last_used_at", lastUsedAt),
            ("revoked_at", revokedAt),
        ]
        return .object(
            JSONObject(
                [
                    ("id", .string(id)), ("label", .string(label)),
                    ("scopes", .array(scopes.map { .string($0.rawValue) })),
                ] + times.map { (name, time) in (name, time.map { .string("\($0)") } ?? .null) } + [
                    ("owner", owner?.json ?? .null), ("purpose", .string(purpose)),
                ]))
    }

    /// The owner of the token, if the owner was not removed.
    var presentOwner: VerifiedUser? { owner.flatMap { $0.removedAt == nil ? $0.user : nil } }

    /// Returns true if the token is accepted at a time.
    public func isValid(at now: Timestamp) -> Bool { revokedAt == nil && (expiresAt.map { now < $0 } ?? true) }
}

/// The person who owns a token.
public struct TokenOwner: Sendable {
    public let user: VerifiedUser
    public let name: String?
    /// The time when the person was removed; nil if the person is present.
    public let removedAt: Timestamp?

    var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("issuer", .string(user.issuer)), ("subject", .string(user.subject)),
            ("name", name.map { .string($0) } ?? .null),
        ]
        if let removedAt { members.append(("removed_at", .string("\(removedAt)"))) }
        return .object(JSONObject(members))
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
        owner =
            if let issuer = try row.optionalText("owner_issuer"), let subject = try row.optionalText("owner_subject") {
                TokenOwner(
                    user: VerifiedUser(issuer: issuer, subject: subject), name: try row.optionalText("owner_name"),
                    removedAt: try row.optionalTimestamp("owner_removed_at"))
            } else {
                nil
            }
        purpose = try row.text("purpose")
    }
}
