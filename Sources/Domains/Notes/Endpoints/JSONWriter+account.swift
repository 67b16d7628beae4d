internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacRevisions

/// Sends the buffered bytes once they fill a part.
private typealias Flush = (inout JSONWriter) throws -> Void

extension JSONWriter {
    /// The buffer size at which a part of an export is sent.
    private static let flushBytes = 64 << 10

    /// Writes the user's stored data in parts. Without an account, only the section names.
    static func export(
        _ user: VerifiedUser, _ cursor: Cursor, _ reader: NotesReader?, _ send: ([UInt8]) throws -> Void
    ) throws {
        var writer = JSONWriter()
        try writer.export(user, cursor, reader) { writer in
            if writer.bytes.count >= flushBytes { try send(writer.flush()) }
        }
        try send(writer.flush())
    }

    private mutating func export(
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
                "attachments",
                array: { writer in
                    try reader?.eachAttachment { attachment in
                        writer.object { $0.members(of: attachment) }
                        try flush(&writer)
                    }
                })
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
