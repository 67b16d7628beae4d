internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON

/// The calls about everything that is kept of a user.
enum AccountEndpoints {
    /// `GET /{environment}/account`: all of it, earlier texts included, as one document.
    static func export(_ request: Request, _: Captures, _ context: NotesContext) throws -> Response {
        let user = try context.user(of: request)
        try request.target.query.allow()
        try request.accepts("application/json")
        return try context.service.read(for: user) { reader, cursor in
            let document = try JSONWriter.object { writer in
                writer.member("issuer", user.issuer)
                writer.member("subject", user.subject)
                writer.member("cursor", "\(cursor)")
                if let account = reader?.account {
                    writer.member("created_at", "\(account.createdAt)")
                    writer.member("updated_at", "\(account.updatedAt)")
                    writer.member("bytes", account.bytes)
                    if let bytes = account.historyBytes { writer.member("history_bytes", bytes) }
                }
                try writer.member(
                    "notes", array: { notes in try reader?.eachNote { try notes.export($0, from: reader) } })
                try writer.member("actions", array: { actions in try reader?.eachAction { actions.recorded($0) } })
            }
            return Response.noStore(document)
        }
    }

    /// `DELETE /{environment}/account`: erases all of it.
    static func erase(_ request: Request, _: Captures, _ context: NotesContext) throws -> Response {
        let user = try context.user(of: request)
        try request.target.query.allow()
        try context.service.erase(user)
        return Response(status: 204, headers: [("Cache-Control", "no-store")])
    }
}

extension JSONWriter {
    /// A note with its whole history.
    fileprivate mutating func export(_ note: Note, from reader: NotesReader?) throws {
        try object { writer in
            writer.member("id", note.id)
            if note.isPurged { writer.member("purged", true) }
            writer.members(of: note)
            try writer.member(
                "history", array: { history in try reader?.eachRevision(of: note) { history.revision($0) } })
        }
    }

    /// An action that is remembered.
    fileprivate mutating func recorded(_ action: RecordedAction) {
        object { writer in
            writer.member("action_id", action.id)
            writer.member("id", action.effect.noteID)
            writer.members(of: action.effect.first)
            writer.member("recorded_at", "\(action.recordedAt)")
        }
    }
}
