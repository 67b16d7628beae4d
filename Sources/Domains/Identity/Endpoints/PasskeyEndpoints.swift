internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacPostgreSQL

/// The endpoints of the caller's own passkeys.
enum PasskeyEndpoints {
    /// `GET /{environment}/passkeys`: the passkeys of the signed-in person, the oldest first.
    static func list(_ request: Request, _: Captures, _ context: IdentityContext) throws -> Response {
        let user = try person(of: request, context).user
        try request.target.query.allow()
        try request.accepts("application/json")
        let passkeys = try context.pool.withConnection { try PasskeyStore($0).list(of: user) }
        var writer = JSONWriter()
        writer.array { writer in
            for passkey in passkeys { writer.object { $0.members(of: passkey) } }
        }
        return .uncached(writer.bytes)
    }

    /// `DELETE /{environment}/passkeys/{id}`: removes a passkey of the signed-in person, even the last one, and ends
    /// the sessions that it began.
    static func remove(_ request: Request, _ captures: Captures, _ context: IdentityContext) throws -> Response {
        let (caller, user) = try person(of: request, context)
        try caller.needsFreshSignIn(at: context.sessions.now)
        try request.target.query.allow()
        let isRemoved = try context.pool.withConnection { connection in
            try PasskeyStore(connection).remove(id: captures["id"], of: user)
        }
        guard isRemoved else {
            throw Problem(.passkeyNotFound, "you have no passkey with this id; GET passkeys lists them")
        }
        context.sessions.forget(of: user)
        return Response(status: 204, headers: [("Cache-Control", "no-store")])
    }

    private static func person(
        of request: Request, _ context: IdentityContext
    ) throws(Problem) -> (caller: Caller, user: VerifiedUser) {
        guard let caller = try context.authenticator.sessionCaller(of: request) else { throw Authenticator.tokenNeeded }
        guard let user = caller.session?.user, caller.tokenID == nil else {
            throw Problem(.scopeTooSmall, "this session belongs to a token; sign in with a passkey to change passkeys")
        }
        return (caller, user)
    }
}
