internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON

/// `GET /{environment}/diff/{other}`: the merge patch, or with `replace=true` the whole values, that would make this
/// environment's config equal to another's.
enum DiffEndpoint {
    static func diff(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        try context.mayRead(request)
        try request.target.query.allow("replace")
        let replaces = try request.target.query.boolean("replace")
        let type = replaces ? "application/json" : "application/merge-patch+json"
        try request.accepts(type, "application/json")
        let other = try other(request, captures["other"], context)
        // Promoting acts on what this finds, so it looks at the newest state of both.
        try context.service.refresh()
        try other.service.refresh()
        let snapshot = context.service.store.current.snapshot
        let here = try object(snapshot)
        let there = try object(other.service.store.current.snapshot)
        let patch = replaces ? replacement(of: here, by: there) : try mergePatch(from: here, to: there)
        var response = Response.uncached(patch.serialized(), contentType: type)
        response.headers += snapshot
        response.headers.append(("ETag", "\"\(snapshot.cursor)\""))
        return response
    }

    private static func mergePatch(from here: JSONObject, to there: JSONObject) throws(ConfigRefusal) -> JSONValue {
        if let patch = JSONValue.object(here).mergePatch(to: .object(there)) { return patch }
        let keys = there.members.filter { (here[$0.name] ?? .null).mergePatch(to: $0.value) == nil }
        throw .differenceNotExpressible(keys.map(\.name))
    }

    /// The whole values of all keys that differ, for `PATCH` with `replace=true`; null where there is none.
    private static func replacement(of here: JSONObject, by there: JSONObject) -> JSONValue {
        let removals = here.members.filter { there[$0.name] == nil }.map { (name: $0.name, value: JSONValue.null) }
        return .object(JSONObject(removals + there.members.filter { here[$0.name] != $0.value }))
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

    private static func object(_ snapshot: Snapshot) throws -> JSONObject {
        JSONObject(
            try snapshot.view(of: nil).live.map {
                (name: $0.key, value: try JSONValue(parsing: $0.value ?? [], limits: .stored))
            })
    }
}
