internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON

/// The call `GET /{environment}/diff/{other}`, which returns the merge patch, or with `replace=true` the whole values,
/// that would make this environment's config equal to the other's.
enum DiffEndpoint {
    static func diff(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        var seesFlags = try context.mayRead(request)
        let query = request.target.query
        try query.allow("replace", "form")
        let replaces = try query.boolean("replace")
        guard [nil, "entries"].contains(query["form"]), replaces || query["form"] == nil else {
            throw Problem(.invalidParameter, "'form' must be 'entries', and needs replace=true")
        }
        let type = replaces ? "application/json" : "application/merge-patch+json"
        try request.accepts(type, "application/json")
        let other = try other(request, captures["other"], context)
        seesFlags = seesFlags && other.seesFlags
        // Clients promote from this response, so refresh both environments first.
        try context.service.refresh()
        try other.context.service.refresh()
        let snapshot = context.service.store.current.snapshot
        // A caller who may not read the flags of both environments compares only plain values.
        let here = try Side(snapshot.view(of: nil, seesFlags: seesFlags))
        let there = try Side(other.context.service.store.current.snapshot.view(of: nil, seesFlags: seesFlags))
        let patch: JSONValue
        if query["form"] != nil {
            patch = here.entries(replacedBy: there)
        } else {
            let flags = here.flags(differingFrom: there)
            guard flags.isEmpty else { throw ConfigRefusal.flagsDiffer(flags) }
            patch =
                replaces
                ? replacement(of: here.values, by: there.values) : try mergePatch(from: here.values, to: there.values)
        }
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

    /// Returns the values of all keys that differ, for `PATCH` with `replace=true`. Null stands for a missing key.
    private static func replacement(of here: JSONObject, by there: JSONObject) -> JSONValue {
        let removals = here.members.filter { there[$0.name] == nil }.map { (name: $0.name, value: JSONValue.null) }
        return .object(JSONObject(removals + there.members.filter { here[$0.name] != $0.value }))
    }

    /// Returns the other environment if the caller may read it. The header `Almanac-Other-Authorization` holds that
    /// environment's token; a signed-in browser sends that environment's cookie by itself.
    private static func other(
        _ request: Request, _ name: String, _ context: ConfigContext
    ) throws(Problem) -> (context: ConfigContext, seesFlags: Bool) {
        guard let name = EnvironmentName(name), let other = context.otherEnvironment(name) else {
            throw Problem(.environmentNotFound, "there is no environment of that name to compare with")
        }
        var seesFlags = true
        if let authorization = request.headers["Almanac-Other-Authorization"] {
            try other.authenticator.caller(authorization: authorization).needs(.configRead)
        } else if let caller = try other.authenticator.sessionCaller(of: request) {
            try caller.needs(.configRead)
        } else if other.service.settings.configRead != .everyone {
            throw Problem(
                .scopeTooSmall, "send a token of '\(name)' as: Almanac-Other-Authorization: Bearer almanac_\(name)_…")
        } else {
            seesFlags = false
        }
        return (other, seesFlags)
    }

    private struct Side {
        /// The plain values by key.
        let values: JSONObject
        private let all: [String: (entry: Entry, value: JSONValue)]
        private let keys: [String]

        init(_ view: SnapshotView) throws {
            let parsed = try view.live.map { entry in
                (entry: entry, value: try JSONValue(parsing: entry.value ?? [], limits: .stored))
            }
            values = JSONObject(parsed.filter { $0.entry.kind == .value }.map { ($0.entry.key, $0.value) })
            all = Dictionary(uniqueKeysWithValues: parsed.map { ($0.entry.key, $0) })
            keys = parsed.map(\.entry.key)
        }

        /// Returns the keys of the flags that differ or exist on one side only.
        func flags(differingFrom other: Side) -> [String] {
            Set(keys + other.keys).filter { key in
                let (mine, theirs) = (all[key], other.all[key])
                guard [mine, theirs].contains(where: { $0.map { $0.entry.kind != .value } ?? false }) else {
                    return false
                }
                return mine?.entry.kind != theirs?.entry.kind || mine?.value != theirs?.value
            }.sorted()
        }

        /// Returns the entries that differ, for `PATCH` with `replace=true&form=entries`. Null removes an entry.
        func entries(replacedBy other: Side) -> JSONValue {
            let removals = keys.filter { other.all[$0] == nil }.map { (name: $0, value: JSONValue.null) }
            let changes = other.keys.compactMap { key -> (name: String, value: JSONValue)? in
                guard let theirs = other.all[key] else { return nil }
                let mine = all[key]
                guard
                    mine?.value != theirs.value || mine?.entry.kind != theirs.entry.kind
                        || mine.map({ !$0.entry.description.utf8.elementsEqual(theirs.entry.description.utf8) }) ?? true
                else { return nil }
                var members: [(name: String, value: JSONValue)] = [
                    ("value", theirs.value), ("description", .string(theirs.entry.description)),
                ]
                let kind = theirs.entry.kind
                if kind != .value || mine.map({ $0.entry.kind != kind }) ?? false {
                    members.append(("kind", .string(kind.rawValue)))
                }
                return (key, .object(JSONObject(members)))
            }
            return .object(JSONObject(removals + changes))
        }
    }
}
