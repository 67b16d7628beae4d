internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacRevisions

/// The endpoints that change notes.
enum ActionEndpoints {
    /// The limit on a batch's results, in bytes. Later results come without texts; the client reads their notes.
    private static let maxResultBytes = 4 << 20

    /// `POST /{environment}/notes`: applies actions in their order and accepts or rejects each by itself.
    static func batch(_ request: Request, _: Captures, _ context: NotesContext) throws -> Response {
        let user = try context.user(of: request)
        try request.target.query.allow()
        try request.accepts("application/json")
        guard let actions = try request.actions(context.service.limits) else {
            throw Problem(
                .invalidValue, "expected an array of actions such as {\"action\": \"deleteNote\", \"id\": \"n1\"}")
        }
        var results = BatchResults(maxBytes: maxResultBytes)
        let account = try context.service.perform(actions, for: user, isAbandoned: { request.isAbandoned }) {
            results.append($0)
        }
        let document = JSONWriter.object { writer in
            writer.member("revision", account?.cursor.revision ?? 0)
            if let account { writer.member("cursor", "\(account.cursor)") }
            writer.member("results", raw: results.array)
        }
        var response = Response.noStore(document)
        if let account { response.headers += NotesHeaders.fields(of: account.cursor, updatedAt: account.updatedAt) }
        return response
    }

    /// `PUT /{environment}/notes/{id}`: creates a note, or merges a whole text with the edits made since its base.
    static func put(_ request: Request, _ captures: Captures, _ context: NotesContext) throws -> Response {
        try perform(request, captures, context) { fields, id in
            try fields.allow("action_id", "title", "body", "tags", "pinned")
            let title = try fields.text("title")
            let body = try fields.text("body")
            let metadata = try fields.wholeMetadata()
            guard title != nil || body != nil || !metadata.isEmpty else {
                throw Problem(.invalidValue, "expected at least one of 'title', 'body', 'tags' and 'pinned'")
            }
            let isNew = try request.headers.entityTags("If-None-Match") == .any
            let condition: Action.PutCondition =
                isNew ? .isNew : try NotesHeaders.base(request.headers).map { .base($0) } ?? .unknown
            return Action(
                id: try fields.actionID(), noteID: id, change: .put(title: title, body: body, condition),
                metadata: metadata)
        }
    }

    /// `PATCH /{environment}/notes/{id}`: applies deltas based on `base` or on the revision in `If-Match`.
    static func patch(_ request: Request, _ captures: Captures, _ context: NotesContext) throws -> Response {
        try perform(request, captures, context) { fields, id in
            try fields.allow("action_id", "base", "title", "body", "tags", "pinned")
            let base = try fields.revision("base").map { Action.Base.revision($0) }
            let change = try fields.update(base: try base ?? NotesHeaders.base(request.headers))
            return Action(id: try fields.actionID(), noteID: id, change: change, metadata: try fields.changedMetadata())
        }
    }

    /// `DELETE /{environment}/notes/{id}`: moves the note to the trash; with `purge=true` removes it for good.
    static func delete(_ request: Request, _ captures: Captures, _ context: NotesContext) throws -> Response {
        let user = try context.user(of: request)
        try request.target.query.allow("purge", "action_id")
        let id = try captures.noteID
        let purges = try request.target.query.boolean("purge")
        let actionID = request.target.query["action_id"]
        if let actionID, !ActionID.isValid(actionID) {
            throw Problem(.invalidParameter, "'action_id' must be \(ActionID.form)")
        }
        var base: Cursor?
        if case .revision(let revision) = try NotesHeaders.base(request.headers) { base = revision }
        let action = Action(id: actionID, noteID: id, change: purges ? .purge : .delete(base: base))
        return try respond(to: action, of: user, request, context)
    }

    /// `POST /{environment}/notes/{id}/restore`: takes the note out of the trash; with `revision` restores that text.
    static func restore(_ request: Request, _ captures: Captures, _ context: NotesContext) throws -> Response {
        try perform(request, captures, context, bodyIsOptional: true) { fields, id in
            try fields.allow("action_id", "revision")
            let change = Action.Change.restore(revision: try fields.revision("revision"))
            return Action(id: try fields.actionID(), noteID: id, change: change)
        }
    }

    /// Applies the action that a request body describes.
    private static func perform(
        _ request: Request, _ captures: Captures, _ context: NotesContext, bodyIsOptional: Bool = false,
        _ action: (_ fields: ActionFields, _ noteID: String) throws -> Action
    ) throws -> Response {
        let user = try context.user(of: request)
        try request.target.query.allow()
        let id = try captures.noteID
        let hasBody = !bodyIsOptional || request.headers["Content-Type"] != nil
        let fields = hasBody ? try request.actionFields(context.service.limits) : ActionFields(JSONObject())
        return try respond(to: try action(fields, id), of: user, request, context)
    }

    /// Applies one action. A rejection becomes the response's problem.
    private static func respond(
        to action: Action, of user: VerifiedUser, _ request: Request, _ context: NotesContext
    ) throws -> Response {
        try request.accepts("application/json")
        var action = action
        action.unmodifiedSince = try request.headers.unmodifiedSince()
        let (account, results) = try context.service.perform([.valid(action)], for: user)
        if let refusal = results.first?.refusal { throw refusal }
        guard let result = results.first, let account else { throw NotesRefusal.noteGone(action.noteID) }
        var writer = JSONWriter()
        writer.result(result, showsNote: result.note?.isDeleted == false)
        var response = Response.noStore(status: result.isCreated ? 201 : 200, writer.bytes)
        response.headers += NotesHeaders.fields(of: account.cursor, updatedAt: account.updatedAt)
        if let note = result.note {
            response.headers.append(("ETag", "\"\(NotesHeaders.tag(of: note, lineage: account.cursor.lineage))\""))
        }
        return response
    }
}

/// The results of a batch as a JSON array of bounded size, written one by one.
private struct BatchResults {
    private var writer = JSONWriter()
    private let maxBytes: Int
    private var bytes = 0

    init(maxBytes: Int) { self.maxBytes = maxBytes }

    mutating func append(_ result: ActionResult) {
        // Skips the encoding of a result that is too large; escapes make a text up to six times as long.
        if bytes + result.textBytes <= maxBytes {
            var one = JSONWriter()
            one.result(result)
            if bytes + one.bytes.count <= maxBytes {
                bytes += one.bytes.count
                writer.raw(one.bytes)
                return
            }
        }
        writer.result(result, omitsTexts: true)
    }

    var array: [UInt8] { "[".utf8 + writer.bytes + "]".utf8 }
}
