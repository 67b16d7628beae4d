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
    /// The user whose notes are theirs; nil for an API token, and for an operator at the console.
    public let user: VerifiedUser?
    /// When the token expires, or the session if it goes unused; nil for a token without an end.
    public let expiresAt: Timestamp?
    /// The session of their browser; nil for the bearer of a token.
    public let session: Session?
    /// How what they do is written down.
    public let author: Author

    /// The bearer of an API token.
    public init(name: String, scopes: [Scope], tokenID: String? = nil, expiresAt: Timestamp? = nil) {
        self.name = name
        self.scopes = scopes
        self.tokenID = tokenID
        self.expiresAt = expiresAt
        (user, session) = (nil, nil)
        author = Author(name, .token, tokenID: tokenID)
    }

    /// The bearer of a user's access token.
    public init(user: VerifiedUser, scopes: [Scope], expiresAt: Timestamp) {
        name = user.subject
        self.scopes = scopes
        self.user = user
        self.expiresAt = expiresAt
        (tokenID, session) = (nil, nil)
        author = Author(user.subject, .user)
    }

    /// A signed-in browser.
    ///
    /// - Parameter token: the one that the session was made of; it is good.
    init(_ session: Session, token: TokenRecord?) {
        self.session = session
        tokenID = session.tokenID
        // An operator has no notes at the console, and whoever has notes is no operator there.
        user = session.application == .notes ? session.user : nil
        name = token?.label ?? session.name
        scopes = session.application == .notes ? [] : token?.scopes ?? session.scopes
        expiresAt = token?.expiresAt.map { min($0, session.expiresAt) } ?? session.expiresAt
        author = Author(name, session.user == nil ? .token : .user, tokenID: session.tokenID)
    }

    /// Tells callers apart, whatever their kind.
    public var key: String { user?.key ?? tokenID ?? session?.user?.key ?? "" }

    /// Refuses a session whose sign-in is a while ago: whoever finds a browser open must not be able to do everything.
    public func needsFreshSignIn(at now: Timestamp) throws(Problem) {
        guard let session, now >= session.freshUntil else { return }
        throw Problem(
            .freshSignInNeeded,
            "this call takes a sign-in of the last \(Session.freshMinutes) minutes: sign in again and repeat it")
    }

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

    /// Whether they may do what a scope allows.
    public func has(_ scope: Scope) -> Bool { scopes.contains { $0.includes(scope) } }

    /// Refuses a caller without a scope.
    public func needs(_ scope: Scope) throws(Problem) {
        guard has(scope) else {
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
