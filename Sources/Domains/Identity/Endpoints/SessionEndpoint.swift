internal import AlmanacHTTP
internal import AlmanacJSON

/// `GET /{environment}/session`: whose token is sent, what it may do, and until when.
enum SessionEndpoint {
    static func show(_ request: Request, _: Captures, _ context: IdentityContext) throws -> Response {
        guard let caller = try context.authenticator.caller(of: request) else { throw Authenticator.tokenNeeded }
        try request.target.query.allow()
        try request.accepts("application/json")
        return .uncached(
            JSONWriter.object { writer in
                writer.member("name", caller.author.name)
                writer.member("kind", caller.author.kind.rawValue)
                if let id = caller.tokenID { writer.member("token_id", id) }
                writer.member("scopes", caller.scopes.map(\.rawValue))
                writer.member("expires_at", value: caller.expiresAt.map { .string("\($0)") } ?? .null)
            })
    }
}
