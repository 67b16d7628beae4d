internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON

/// The calls that change entries. Each makes one release, or none if nothing changes.
enum WriteEndpoints {
    /// Handles `POST /{environment}/config`: creates an entry.
    static func create(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        let intent = try intent(request, context)
        try request.target.query.allow(ProposalEndpoints.parameters)
        try request.contains("application/json")
        let object = try ConfigBody.read(request, context.service).members(["key", "value", "description", "kind"])
        guard let key = object["key"]?.stringValue, EntryKey.isValid(key) else {
            throw Problem(.invalidValue, "'key' must be a text of the form \(EntryKey.form)")
        }
        let edit = EntryEdit(
            key: key, value: try ConfigBody.value(object), description: try ConfigBody.description(object),
            kind: try ConfigBody.kind(object))
        return try make(.create(edit), request, intent, context) { outcome in
            answer(outcome, context, status: 201, location: "config/\(key)")
        }
    }

    /// Handles `PUT /{environment}/config/{key}`: creates or replaces an entry. With `If-None-Match: *` it only
    /// creates, and with `If-Match: *` it only replaces.
    static func put(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        let intent = try intent(request, context, about: .entry(captures["key"]))
        try request.target.query.allow(ProposalEndpoints.parameters)
        let key = try EntryKey.checked(captures["key"])
        try request.contains("application/json")
        var presence = ConfigWrite.Presence.any
        if try request.headers.entityTags("If-Match") == .any { presence = .present }
        if try request.headers.entityTags("If-None-Match") == .any { presence = .absent }
        let object = try ConfigBody.read(request, context.service).members(["value", "description", "kind"])
        let edit = EntryEdit(
            key: key, value: try ConfigBody.value(object), description: try ConfigBody.description(object),
            kind: try ConfigBody.kind(object))
        return try make(.put(edit, where: presence), request, intent, context) { outcome in
            let isNew = outcome.addsEntry
            return answer(outcome, context, status: isNew ? 201 : 200, location: isNew ? key : nil)
        }
    }

    /// Handles `DELETE /{environment}/config/{key}`: removes an entry, with `purge=true` also from majors and history.
    static func delete(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        guard let caller = try context.caller(of: request) else { throw Authenticator.tokenNeeded }
        let query = request.target.query
        let purges = try query.boolean("purge")
        if purges {
            try query.allow("purge", "bypass")
            try context.checkAdministrator(caller)
        } else {
            try query.allow(["purge"] + ProposalEndpoints.parameters)
        }
        var intent = try intent(request, context, about: .entry(captures["key"]))
        let key = try EntryKey.checked(captures["key"])
        if purges {
            intent.kind = .purge
            intent.subject = key
            intent.bypassReason = try context.bypassReason(of: request, caller)
            return answer(try context.service.writer.purge(key, intent), context)
        }
        return try make(.remove(key), request, intent, context) { answer($0, context) }
    }

    /// Handles `PATCH /{environment}/config`: applies a JSON Merge Patch to the object form, or with `replace=true`
    /// sets whole values, in one release. With `dry_run=true`, returns a forecast instead.
    static func patch(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        var intent = try intent(request, context)
        let query = request.target.query
        try query.allow(["dry_run", "replace", "form"] + ProposalEndpoints.parameters)
        let isTrial = try query.boolean("dry_run")
        let write = try ConfigBody.patch(request, context.service)
        let keys = write.keys
        if keys.count == 1 { intent.part = .entry(keys[0]) }
        if isTrial, try !query.boolean("propose") {
            return ForecastEndpoints.answer(try context.service.writer.forecast(intent, write), context)
        }
        return try make(write, request, intent, context) { answer($0, context) }
    }

    /// Makes the release of a write, or with `propose=true` a proposal.
    static func make(
        _ write: ConfigWrite, _ request: Request, _ intent: ReleaseWriter.Intent, _ context: ConfigContext,
        answer: (ReleaseWriter.Outcome) -> Response
    ) throws -> Response {
        guard try request.target.query.boolean("propose") else {
            return answer(try context.service.writer.release(intent, write))
        }
        return try ProposalEndpoints.create(request, intent, context, keys: write.keys) { current, head, _ in
            try write.edits(of: current, at: head)
        }
    }

    /// Reads the author, message and precondition of a write.
    ///
    /// The caller is authenticated first, so that strangers learn nothing about a request's faults.
    ///
    /// - Parameter part: The part of the config that is written, if its own tag also counts as a condition.
    static func intent(
        _ request: Request, _ context: ConfigContext, about part: PartTag.Subject? = nil
    ) throws(Problem) -> ReleaseWriter.Intent {
        guard try context.caller(of: request) != nil else { throw Authenticator.tokenNeeded }
        let proposes = try request.target.query.boolean("propose")
        if !proposes, request.target.query["after_proposal"] != nil {
            throw Problem(.invalidParameter, "'after_proposal' needs 'propose=true'")
        }
        let caller = try proposes ? context.proposer(of: request) : context.writer(of: request)
        let keys = proposes ? KeySelection.all : try caller.needsChangeableKeys()
        return try intent(request, by: caller, keys: keys, about: part)
    }

    static func intent(
        _ request: Request, by caller: Caller, keys: KeySelection, about part: PartTag.Subject?
    ) throws(Problem) -> ReleaseWriter.Intent {
        try request.accepts("application/json")
        return ReleaseWriter.Intent(
            author: caller.author, keys: keys, message: try ConfigHeaders.message(request),
            precondition: try Precondition(request.headers), part: part)
    }

    /// The maximum number of overlap warnings in a response. One release may cause thousands.
    static let maxWarnings = 20

    /// Publishes the new head of a write and returns the response: the revision, version, current entries and warnings.
    static func answer(
        _ outcome: ReleaseWriter.Outcome, _ context: ConfigContext, status: Int = 200, location: String? = nil,
        warnings: [String] = []
    ) -> Response {
        context.service.publish(outcome.head)
        let overlaps = context.service.store.current.snapshot.overlaps(of: outcome.entries.map(\.key))
        let warnings = warnings + overlaps.prefix(maxWarnings).map(\.warning)
        let body = JSONWriter.object { writer in
            writer.member("revision", outcome.head.revision)
            writer.member("version", "\(outcome.head.version)")
            writer.member("cursor", "\(outcome.head.cursor)")
            writer.member("entries", raw: Representation.array(outcome.entries.map(\.json)))
            if !warnings.isEmpty { writer.member("warnings", warnings) }
        }
        var response = Response(status: status, body: body)
        response.headers += ConfigHeaders.fields(of: outcome.head)
        response.headers.append(("ETag", "\"\(outcome.head.cursor)\""))
        response.headers.append(("Cache-Control", "no-store"))
        if let location { response.headers.append(("Location", location)) }
        return response
    }
}
