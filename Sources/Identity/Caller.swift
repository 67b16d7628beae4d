public import HTTP

/// Who is asking, and what they may do.
public struct Caller: Sendable {
    /// How the history names them: a token's label.
    public let name: String
    public let scopes: [Scope]

    public init(name: String, scopes: [Scope]) {
        self.name = name
        self.scopes = scopes
    }

    /// Refuses a caller without a scope.
    public func needs(_ scope: Scope) throws(Problem) {
        guard scopes.contains(where: { $0.includes(scope) }) else {
            throw Problem(
                .scopeTooSmall, "this call needs a token with the scope \(scope.rawValue)",
                headers: [
                    ("WWW-Authenticate", "Bearer realm=\"almanac\", error=\"insufficient_scope\", scope=\"\(scope.rawValue)\"")
                ])
        }
    }
}
