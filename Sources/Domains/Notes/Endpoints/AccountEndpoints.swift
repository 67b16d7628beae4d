internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPostgreSQL

/// The calls about everything that is kept of a user.
enum AccountEndpoints {
    /// `GET /{environment}/account`: all of it, past texts included, as one document.
    static func export(_ request: Request, _: Captures, _ context: NotesContext) throws -> Response {
        try request.target.query.allow()
        let user = try context.user(of: request)
        try request.accepts("application/json")
        return try context.service.read(for: user) { reader, cursor, connection in
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
            if let account = reader?.account { try write(notesOf: account, connection, to: &writer) }
            writer.endArray()
            writer.name("actions")
            writer.beginArray()
            if let account = reader?.account { try write(actionsOf: account, connection, to: &writer) }
            writer.endArray()
            writer.endObject()
            return Response.unkept(writer.bytes)
        }
    }

    /// `DELETE /{environment}/account`: erases all of it.
    static func erase(_ request: Request, _: Captures, _ context: NotesContext) throws -> Response {
        try request.target.query.allow()
        let user = try context.user(of: request)
        let account = try context.service.pool.withConnection { connection in
            try connection.transaction(opening: [AccountStatements.lock(user)]) { connection, rows in
                let account = try rows[0].first.map(Account.init)
                if let account { try AccountStatements.erase(account, on: connection) }
                return account
            }
        }
        if let account { context.service.announce(account.id, revision: account.revision + 1) }
        return Response(status: 204, headers: [("Cache-Control", "no-store")])
    }

    private static func write(
        notesOf account: Account, _ connection: Connection, to writer: inout JSONWriter
    ) throws {
        for row in try connection.run(ReadStatements.allIDs, .bigint(account.id)) {
            let id = try row.text("id")
            // Note by note, so that the rows of all are never in memory together.
            let note = try Note(
                try connection.run(NoteStatements.find, .bigint(account.id), .text(id)).single("notes"))
            writer.beginObject()
            writer.member("id", id)
            if note.isPurged { writer.member("purged", true) }
            writer.members(of: note)
            writer.name("history")
            writer.beginArray()
            let history = try connection.run(
                ReadStatements.history, .bigint(account.id), .text(id), .bigint(0), .bigint(.max))
            for past in history { try writer.pastAction(past) }
            writer.endArray()
            writer.endObject()
        }
    }

    private static func write(
        actionsOf account: Account, _ connection: Connection, to writer: inout JSONWriter
    ) throws {
        for row in try connection.run(ReadStatements.allActions, .bigint(account.id)) {
            writer.beginObject()
            writer.member("action_id", try row.text("action_id"))
            writer.member("id", try row.text("note_id"))
            writer.member("status", try row.text("status"))
            writer.member("revision", try row.bigint("revision"))
            if try row.boolean("restored") { writer.member("restored", true) }
            writer.member("recorded_at", "\(try row.timestamp("recorded_at"))")
            writer.endObject()
        }
    }
}
