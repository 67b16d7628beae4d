internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacPostgreSQL

/// The endpoints of people, for administrators.
enum PeopleEndpoints {
    /// `GET /{environment}/people`: all people by name with their tokens, removed people last.
    static func list(_ request: Request, _: Captures, _ context: IdentityContext) throws -> Response {
        let caller = try context.administrator(of: request)
        try request.target.query.allow()
        try request.accepts("application/json")
        try context.sessions.people.recordUses()
        try context.tokens.recordUses()
        let (people, tokens) = try context.pool.withConnection { connection in
            (
                try PeopleAdministration(connection, by: caller.author).list(),
                try TokenAdministration(connection, by: caller.author).list()
            )
        }
        let now = context.tokens.now
        return .uncached(JSONValue.array(people.map { $0.json(tokens: tokens, now: now) }).serialized())
    }

    /// `PATCH /{environment}/people/{id}`: changes the name of a person, or the role of a person by invitation.
    static func change(_ request: Request, _ captures: Captures, _ context: IdentityContext) throws -> Response {
        let caller = try context.freshAdministrator(of: request)
        try request.target.query.allow()
        try request.accepts("application/json")
        try request.contains("application/json")
        let object = try request.json(context.settings.limits.json).members(["name", "role"])
        let name = try object["name"].map { try Self.name($0) }
        let role = try object["role"].map { try Self.role($0) }
        return try administrate(captures, context, caller, refusesOwn: role != nil) { people, id in
            do {
                return try people.change(id: id, name: name, role: role)
            } catch let failure as PeopleFailure {
                throw Problem(.roleFromProvider, "\(failure)")
            }
        }
    }

    /// `DELETE /{environment}/people/{id}`: removes a person. With `erase=true`, erases the name as well.
    static func remove(_ request: Request, _ captures: Captures, _ context: IdentityContext) throws -> Response {
        let caller = try context.freshAdministrator(of: request)
        try request.target.query.allow("erase")
        try request.accepts("application/json")
        let erasesName = try request.target.query.boolean("erase")
        return try administrate(captures, context, caller, refusesOwn: true) { people, id in
            try people.remove(id: id, erasesName: erasesName)
        }
    }

    /// `POST /{environment}/people/{id}/admit`: admits a removed person again.
    static func admit(_ request: Request, _ captures: Captures, _ context: IdentityContext) throws -> Response {
        let caller = try context.freshAdministrator(of: request)
        try request.target.query.allow()
        try request.accepts("application/json")
        return try administrate(captures, context, caller, refusesOwn: false) { people, id in
            try people.admit(id: id)
        }
    }

    /// Changes a person, then refreshes this worker's caches before the caller gets the response.
    ///
    /// - Parameter refusesOwn: true if the callers may not change themselves in this way.
    private static func administrate(
        _ captures: Captures, _ context: IdentityContext, _ caller: Caller, refusesOwn: Bool,
        _ body: (PeopleAdministration, String) throws -> Person?
    ) throws -> Response {
        let id = captures["id"]
        let (person, tokens) = try context.pool.withConnection { connection in
            try connection.transaction { connection in
                let people = PeopleAdministration(connection, by: caller.author)
                if refusesOwn, let own = caller.person, try people.find(id: id)?.user == own {
                    throw Problem(
                        .ownPerson,
                        "you cannot remove yourself or change your own role; ask another administrator, or use "
                            + "'almanac people' on the host")
                }
                guard let person = try body(people, id) else {
                    throw Problem(.personNotFound, "there is no person with this id; GET people lists them")
                }
                return (person, try TokenAdministration(connection, by: caller.author).list())
            }
        }
        context.sessions.forget(of: person.user)
        // The change is committed even if a refresh fails; the worker then refreshes later.
        try? context.sessions.people.refresh()
        try? context.tokens.refresh()
        return .uncached(person.json(tokens: tokens, now: context.tokens.now).serialized())
    }

    static func name(_ member: JSONValue) throws(Problem) -> PersonName {
        guard let text = member.stringValue, (1...100).contains(text.unicodeScalars.count),
            let name = PersonName(text)
        else { throw Problem(.invalidValue, "'name' must have 1 to 100 characters on one line") }
        return name
    }

    static func role(_ member: JSONValue) throws(Problem) -> Role {
        guard let role = member.stringValue.flatMap(Role.init(rawValue:)) else {
            let names = Role.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.invalidValue, "'role' must be one of \(names)")
        }
        return role
    }
}
