internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacRevisions

/// The endpoints of a user's whole account.
enum AccountEndpoints {
    /// `GET /{environment}/account`: streams the user's stored data, history included, from one snapshot.
    static func export(_ request: Request, _: Captures, _ context: NotesContext) throws -> Response {
        let user = try context.user(of: request)
        try request.target.query.allow()
        try request.accepts("application/json")
        var response = Response { send in
            try context.service.read(for: user) { reader, cursor in
                var writer = JSONWriter()
                try writer.export(user, cursor, reader) { writer throws(ClientGone) in
                    if writer.bytes.count >= flushBytes { try send(writer.flush()) }
                }
                try send(writer.flush())
            }
        }
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }

    /// The buffer size at which a part of the export is sent.
    private static let flushBytes = 64 << 10

    /// `DELETE /{environment}/account`: erases the account. A session needs a fresh sign-in.
    static func erase(_ request: Request, _: Captures, _ context: NotesContext) throws -> Response {
        let user = try context.freshUser(of: request)
        try request.target.query.allow()
        try context.service.erase(user)
        return Response(status: 204, headers: [("Cache-Control", "no-store")])
    }
}

/// Sends the buffered bytes once they fill a part.
private typealias Flush = (inout JSONWriter) throws(ClientGone) -> Void

extension JSONWriter {
    /// Writes the user's stored data. Without an account, only the section names.
    fileprivate mutating func export(
        _ user: VerifiedUser, _ cursor: Cursor, _ reader: NotesReader?, _ flush: Flush
    ) throws {
        try object { writer in
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
                "notes", array: { notes in try reader?.eachNote { try notes.export($0, from: reader, flush) } })
            try writer.member(
                "actions",
                array: { actions in
                    try reader?.eachAction {
                        actions.recorded($0)
                        try flush(&actions)
                    }
                })
        }
    }

    /// Writes a note with its whole history.
    private mutating func export(_ note: Note, from reader: NotesReader?, _ flush: Flush) throws {
        try object { writer in
            writer.member("id", note.id)
            if note.isPurged { writer.member("purged", true) }
            writer.members(of: note)
            try flush(&writer)
            try writer.member(
                "history",
                array: { history in
                    try reader?.eachRevision(of: note) {
                        history.revision($0)
                        try flush(&history)
                    }
                })
        }
    }

    /// Writes an action from `note_actions`.
    private mutating func recorded(_ action: RecordedAction) {
        object { writer in
            writer.member("action_id", action.id)
            writer.member("id", action.effect.noteID)
            writer.members(of: action.effect.originalEffect)
            writer.member("recorded_at", "\(action.recordedAt)")
        }
    }
}
