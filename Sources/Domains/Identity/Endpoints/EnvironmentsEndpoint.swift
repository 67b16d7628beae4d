internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacJSON

/// `GET /environments`: the environments visible to the caller, sorted by name.
enum EnvironmentsEndpoint {
    static func list(_ request: Request, _: Captures, _ all: [IdentityContext]) throws -> Response {
        try request.target.query.allow()
        try request.accepts("application/json")
        var refusal: Problem?
        var isKnown = false
        var seen: [(context: IdentityContext, caller: Caller?)] = []
        for context in all.sorted(by: { $0.settings.name.text < $1.settings.name.text }) {
            var caller: Caller?
            do throws(Problem) { caller = try context.authenticator.caller(of: request) } catch {
                // A token of one environment is refused by all others, and an ended session counts as no session.
                let isOfSession = request.headers["Authorization"] == nil
                let isEnded = error.kind == .sessionEnded || error.kind == .personRemoved && isOfSession
                if !isEnded, refusal?.kind != .personRemoved { refusal = error }
            }
            isKnown = isKnown || caller != nil
            if context.settings.configRead == .everyone || caller != nil { seen.append((context, caller)) }
        }
        if let refusal, !isKnown { throw refusal }
        var writer = JSONWriter()
        writer.array { writer in
            for (context, caller) in seen {
                writer.object { $0.members(of: context, caller, at: request.application ?? .console) }
            }
        }
        return .uncached(writer.bytes)
    }
}

extension JSONWriter {
    fileprivate mutating func members(of context: IdentityContext, _ caller: Caller?, at application: Application) {
        let settings = context.settings
        member("name", settings.name.text)
        member("config_read", settings.configRead.rawValue)
        members(of: context.appearance.current)
        let takesProvider = settings.signIn != nil && (application == .notes || !settings.operators.isEmpty)
        let takesPasskeys = application == .console
        member("sign_in", (takesProvider ? ["provider"] : []) + (takesPasskeys ? ["passkey"] : []) + ["token"])
        if let caller {
            member("session", object: { $0.members(of: caller, context.person(of: caller)) })
        } else {
            member("session", value: .null)
        }
    }
}
