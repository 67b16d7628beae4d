internal import AlmanacIdentity

extension Arguments {
    /// What the words after `--scope` say, each once.
    func scopes() throws(UsageFailure) -> [Scope] {
        var scopes: [Scope] = []
        for text in all("--scope") {
            guard let scope = Scope(rawValue: text) else {
                throw UsageFailure("'\(text)' is no scope; expected \(Scope.names)")
            }
            if !scopes.contains(scope) { scopes.append(scope) }
        }
        return scopes
    }
}

extension Scope {
    /// All of them, for messages.
    static let names = allCases.map(\.rawValue).joined(separator: ", ")
}
