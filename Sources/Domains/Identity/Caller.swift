public import AlmanacHTTP
internal import AlmanacPOSIX
public import AlmanacTimestamps

/// The sender of a request, and what they may do.
public struct Caller: Sendable {
    /// How the history names them: a token's label, or the user's subject.
    public let name: String
    public let scopes: [Scope]
    /// The id of their API token; nil for a user's token.
    public let tokenID: String?
    /// The user that their token speaks for; nil for an API token.
    public let user: VerifiedUser?
    /// When the token expires; nil for one without an end.
    public let expiresAt: Timestamp?

    /// The bearer of an API token.
    public init(name: String, scopes: [Scope], tokenID: String? = nil, expiresAt: Timestamp? = nil) {
        self.name = name
        self.scopes = scopes
        self.tokenID = tokenID
        self.expiresAt = expiresAt
        user = nil
    }

    /// The bearer of a user's access token.
    public init(user: VerifiedUser, scopes: [Scope], expiresAt: Timestamp) {
        name = user.subject
        self.scopes = scopes
        self.user = user
        self.expiresAt = expiresAt
        tokenID = nil
    }

    /// Tells callers apart, whatever their kind.
    public var key: String { user?.key ?? tokenID ?? "" }

    /// The keys whose entries they may change; nil for none.
    public var changeableKeys: ChangeableKeys? {
        if scopes.contains(where: { $0.includes(.configWrite) }) { return .all }
        let patterns = scopes.compactMap { if case .configWriteOf(let keys) = $0 { keys } else { nil } }
        return patterns.isEmpty ? nil : .some(patterns)
    }

    /// The keys that they may change, at least some; refuses a caller who may change none.
    public func needsChangeableKeys() throws(Problem) -> ChangeableKeys {
        if let changeableKeys { return changeableKeys }
        try needs(.configWrite)
        return .all
    }

    /// Refuses a caller without a scope.
    public func needs(_ scope: Scope) throws(Problem) {
        guard scopes.contains(where: { $0.includes(scope) }) else {
            throw Problem(
                .scopeTooSmall, "this call needs a token with the scope \(scope.rawValue)",
                headers: [
                    (
                        "WWW-Authenticate",
                        "Bearer realm=\"almanac\", error=\"insufficient_scope\", scope=\"\(scope.rawValue)\""
                    )
                ])
        }
    }
}

/// A user as a verified token names them: its issuer, and the subject that is unique there.
public struct VerifiedUser: Hashable, Sendable {
    public let issuer: String
    public let subject: String

    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    /// Tells users apart in a text.
    public var key: String { issuer + "\0" + subject }

    // By bytes: the `==` of texts takes canonically equivalent ones for the same.
    public static func == (left: VerifiedUser, right: VerifiedUser) -> Bool {
        left.issuer.hasSameBytes(as: right.issuer) && left.subject.hasSameBytes(as: right.subject)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in issuer.utf8 { hasher.combine(byte) }
        hasher.combine(0 as UInt8)
        for byte in subject.utf8 { hasher.combine(byte) }
    }
}
