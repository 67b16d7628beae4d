internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON

/// The calls about everything that is kept of a user.
enum AccountEndpoints {
    /// `GET /{environment}/account`: all of it, earlier texts included, as one document.
    static func export(_ request: Request, _: Captures, _ context: NotesContext) throws -> Response {
        try request.target.query.allow()
        let user = try context.user(of: request)
        try request.accepts("application/json")
        return try context.service.read(for: user) { reader, cursor in
            var writer = JSONWriter()
            writer.beginObject()
            writer.member("issuer", user.issuer)
            writer.member("subject", user.subject)
            writer.member("cursor", "\(cursor)")
            if let account = reader?.account {
                writer.member("created_at", "\(account.createdAt)")
                writer.member("updated_at", "\(account.updatedAt)")
                writer.member("bytes", account.bytes)
            }
            writer.name("notes")
            writer.beginArray()
            try reader?.eachNote { note in
                writer.beginObject()
                writer.member("id", note.id)
                if note.isPurged { writer.member("purged", true) }
                writer.members(of: note)
                writer.name("history")
                writer.beginArray()
                try reader?.eachRevision(of: note) { writer.revision($0) }
                writer.endArray()
                writer.endObject()
            }
            writer.endArray()
            writer.name("actions")
            writer.beginArray()
            try reader?.eachAction { writer.recorded($0) }
            writer.endArray()
            writer.endObject()
            return Response.noStore(writer.bytes)
        }
    }

    /// `DELETE /{environment}/account`: erases all of it.
    static func erase(_ request: Request, _: Captures, _ context: NotesContext) throws -> Response {
        try request.target.query.allow()
        try context.service.erase(try context.user(of: request))
        return Response(status: 204, headers: [("Cache-Control", "no-store")])
    }
}

extension JSONWriter {
    /// An action that is remembered.
    fileprivate mutating func recorded(_ action: RecordedAction) {
        beginObject()
        member("action_id", action.id)
        member("id", action.effect.noteID)
        member("status", action.effect.first.status)
        member("revision", action.effect.first.revision)
        if action.effect.first.isRestored { member("restored", true) }
        member("recorded_at", "\(action.recordedAt)")
        endObject()
    }
}
