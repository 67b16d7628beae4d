internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacPostgreSQL

/// `GET /{environment}/audit`: the audit log, newest first.
enum AuditEndpoint {
    static func list(_ request: Request, _: Captures, _ context: IdentityContext) throws -> Response {
        _ = try context.administrator(of: request)
        let query = try HistoryQuery(request.target.query, and: ["action"])
        try request.accepts("application/json")
        let rows = try context.pool.withConnection { connection in
            try connection.run(AuditStatements.page(query, action: request.target.query["action"]))
        }
        var writer = JSONWriter()
        try writer.array { writer in
            for row in rows {
                let record = try AuditRecord(row)
                writer.raw(record.json(authorName: context.authenticator.personName(of: record.author)))
            }
        }
        return .uncached(writer.bytes)
    }
}
