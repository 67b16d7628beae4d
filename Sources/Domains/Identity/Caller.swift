internal import AlmanacCryptography
public import AlmanacForms
public import AlmanacHTTP
internal import AlmanacPOSIX
public import AlmanacTimestamps

/// The sender of a request, with the scopes.
public struct Caller: Sendable {
    /// The name in the history: a token's label, or a user's subject.
    public let name: String
    public let scopes: [Scope]
    /// The id of the API token; nil for a user's token.
    public let tokenID: String?
    /// The user's name for others, from an access token.
    let personName: String?
    /// The user whose notes the caller may use; nil for an API token, and for an operator at the console.
    public let user: VerifiedUser?
    /// The time when the token expires, or the session if it stays idle; nil for a token without an expiry.
    public let expiresAt: Timestamp?
    /// The person who acts with the scopes: the user, or the owner of the API token; nil for a service account, and for
    /// a user without scopes.
    public let person: VerifiedUser?
    /// The session of the caller's browser; nil for the bearer of a token.
    public let session: Session?
    /// The author that the history and the audit log record for the caller's changes.
    public let author: Author

    /// Creates the bearer of an API token.
    ///
    /// - Parameter owner: the owner of the token, if the owner was not removed.
    public init(
        name: String, scopes: [Scope], tokenID: String? = nil, expiresAt: Timestamp? = nil, owner: VerifiedUser? = nil
    ) {
        self.name = name
        self.scopes = scopes
        self.tokenID = tokenID
        self.expiresAt = expiresAt
        (user, session) = (nil, nil)
        person = owner
        personName = nil
        author = Author(name, .token, tokenID: tokenID)
    }

    /// Creates the bearer of a user's access token.
    ///
    /// - Parameter personName: the user's name for others; nil if the token has none.
    public init(user: VerifiedUser, personName: String? = nil, scopes: [Scope], expiresAt: Timestamp) {
        name = user.subject
        self.personName = personName
        person = scopes.isEmpty ? nil : user
        self.scopes = scopes
        self.user = user
        self.expiresAt = expiresAt
        (tokenID, session) = (nil, nil)
        author = Author(user.subject, .user)
    }

    /// Creates a signed-in browser.
    ///
    /// - Parameter token: the valid token that the session was created from.
    init(_ session: Session, token: TokenRecord?) {
        self.session = session
        tokenID = session.tokenID
        // A console session has scopes but no notes; a session of the notes pages has notes but no scopes.
        user = session.application == .notes ? session.user : nil
        person = session.application == .console ? session.user : nil
        personName = nil
        // A session of an owned token acts as the owner.
        name = session.user?.subject ?? token?.label ?? session.name
        scopes = session.application == .notes ? [] : token?.scopes.filter { !$0.isOfApprovals } ?? session.scopes
        expiresAt = token?.expiresAt.map { min($0, session.expiresAt) } ?? session.expiresAt
        author = Author(name, session.user == nil ? .token : .user, tokenID: session.tokenID)
    }

    /// The user behind an access token or a session, whose streams end if the user is removed; nil for an API token.
    public var signedInUser: VerifiedUser? { user ?? session?.user }

    /// An id that is unique among callers of all kinds.
    public var key: String { user?.key ?? tokenID ?? session?.user?.key ?? "" }

    /// Throws if the session's sign-in is too old, so that a person at an unattended browser can't do everything.
    public func needsFreshSignIn(at now: Timestamp) throws(Problem) {
        guard let session, now >= session.freshUntil else { return }
        throw Problem(
            .freshSignInNeeded,
            "this call needs a sign-in of the last \(Session.freshMinutes) minutes; sign in again and repeat it")
    }

    /// The keys whose entries the caller may change; nil for none.
    public var changeableKeys: KeySelection? { scopes.changeableKeys }

    /// Returns the keys that the caller may change. Throws if there are none.
    public func needsChangeableKeys() throws(Problem) -> KeySelection {
        if let changeableKeys { return changeableKeys }
        try needs(.configWrite)
        return .all
    }

    /// Returns true if the caller has a scope or one that includes it.
    public func has(_ scope: Scope) -> Bool { scopes.contains { $0.includes(scope) } }

    /// Throws if the caller lacks a scope.
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

/// A user as named by a verified token: the issuer, and the subject, which is unique within the issuer.
public struct VerifiedUser: Hashable, Sendable {
    public let issuer: String
    public let subject: String

    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    /// A string that is unique among users.
    public var key: String { issuer + "\0" + subject }

    /// A hash of the user in 22 letters, digits, `-` and `_`, which does not reveal the user.
    public var digest: String { Base64URL.encode(Array(SHA256.digest(Array(key.utf8)).prefix(16))) }

    // Compares bytes, because `==` on strings treats canonically equivalent strings as equal.
    public static func == (left: VerifiedUser, right: VerifiedUser) -> Bool {
        left.issuer.hasSameBytes(as: right.issuer) && left.subject.hasSameBytes(as: right.subject)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in issuer.utf8 { hasher.combine(byte) }
        hasher.combine(0 as UInt8)
        for byte in subject.utf8 { hasher.combine(byte) }
    }
}
