public import AlmanacHTTP
public import AlmanacTimestamps

/// Who is asking, and what they may do.
public struct Caller: Sendable {
    /// How the history names them: a token's label.
    public let name: String
    public let scopes: [Scope]
    /// Names their API token; nil for a user's token.
    public let tokenID: String?
    /// When the token expires; nil for one without an end.
    public let expiresAt: Timestamp?

    public init(name: String, scopes: [Scope], tokenID: String? = nil, expiresAt: Timestamp? = nil) {
        self.name = name
        self.scopes = scopes
        self.tokenID = tokenID
        self.expiresAt = expiresAt
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
