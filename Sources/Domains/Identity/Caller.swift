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

/// A permission that a token carries.
public enum Scope: String, CaseIterable, Sendable {
    case configRead = "config:read"
    case configWrite = "config:write"
    case admin

    /// Whether a token with this scope may do what the other one allows: each includes those before it.
    public func includes(_ other: Scope) -> Bool {
        switch (self, other) {
        case (.admin, _), (.configWrite, .configRead): true
        default: self == other
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
