internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON

/// `GET /{environment}/diff/{other}`: the merge patch that would make this environment's config equal to another's.
enum DiffEndpoint {
    static func diff(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        try context.mayRead(request)
        try request.target.query.allow()
        try request.accepts("application/merge-patch+json", "application/json")
        let other = try other(request, captures["other"], context)
        // Promoting acts on what this finds, so it looks at the newest state of both.
        try context.service.refresh()
        try other.service.refresh()
        let snapshot = context.service.store.current.snapshot
        let here = try object(snapshot)
        let there = try object(other.service.store.current.snapshot)
        guard let patch = here.mergePatch(to: there) else {
            let keys = there.objectValue?.members.filter { member in
                (here.objectValue?[member.name] ?? .null).mergePatch(to: member.value) == nil
            }
            throw ConfigRefusal.differenceNotExpressible((keys ?? []).map(\.name))
        }
        var response = Response.uncached(patch.serialized(), contentType: "application/merge-patch+json")
        response.headers += snapshot
        response.headers.append(("ETag", "\"\(snapshot.cursor)\""))
        return response
    }

    /// The other environment, if the caller may read it: its own token goes into `Almanac-Other-Authorization`; a
    /// browser that is signed in there too sends that cookie by itself.
    private static func other(
        _ request: Request, _ name: String, _ context: ConfigContext
    ) throws(Problem) -> ConfigContext {
        guard let name = EnvironmentName(name), let other = context.neighbour(name) else {
            throw Problem(.environmentNotFound, "there is no environment of that name to compare with")
        }
        if let authorization = request.headers["Almanac-Other-Authorization"] {
            try other.authenticator.caller(authorization: authorization).needs(.configRead)
        } else if let caller = try other.authenticator.sessionCaller(of: request) {
            try caller.needs(.configRead)
        } else if other.service.settings.configRead != .everyone {
            throw Problem(
                .scopeTooSmall, "send a token of '\(name)' as: Almanac-Other-Authorization: Bearer almanac_\(name)_…")
        }
        return other
    }

    private static func object(_ snapshot: Snapshot) throws -> JSONValue {
        .object(
            JSONObject(
                try snapshot.view(of: nil).live.map {
                    (name: $0.key, value: try JSONValue(parsing: $0.value ?? [], limits: .stored))
                }))
    }
}
