internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacRevisions

/// The calls that show the history, and the one that goes back in it.
enum HistoryEndpoints {
    /// `GET /{environment}/config/{key}/history`: every value that a key has had, newest first.
    static func key(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        let page = try Page(request, context)
        let key = try ConfigKey.checked(captures["key"])
        let rows = try context.service.pool.withConnection { connection in
            try connection.run(HistoryStatements.history(of: key, before: page.before, limit: page.limit))
        }
        guard !rows.isEmpty || page.before != .max else {
            throw ConfigRefusal.entryNeverExisted(key)
        }
        return page.answer(
            try rows.map { row in
                try JSONWriter.object { writer in
                    writer.member("revision", try row.bigint("revision"))
                    writer.member("version", "\(try SemanticVersion(row))")
                    if let value = try row.optionalBytes("value") {
                        writer.member("value", raw: value)
                        writer.member("description", try row.text("description"))
                    } else {
                        writer.member(try row.boolean("purged") ? "purged" : "deleted", true)
                    }
                    writer.member("updated_at", "\(try row.timestamp("released_at"))")
                    writer.member("author", try row.text("author"))
                    writer.member("message", try row.text("message"))
                }
            })
    }

    /// `GET /{environment}/releases`: the releases, newest first, with the keys that each changed.
    static func releases(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        let page = try Page(request, context)
        let rows = try context.service.pool.withConnection { connection in
            try connection.run(HistoryStatements.releases(before: page.before, limit: page.limit))
        }
        return page.answer(
            try rows.map { row in
                try JSONWriter.object { writer in
                    writer.members(of: try Release(row))
                    writer.member("keys", try row.textArray("keys"))
                }
            })
    }

    /// `GET /{environment}/releases/{revision}`: one release, with each key's value before and after.
    static func release(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        _ = try context.caller(of: request, with: .configRead)
        try request.target.query.allow()
        try request.accepts("application/json")
        let revision = try revision(captures)
        let (release, changes) = try context.service.pool.withConnection { connection in
            try connection.view { connection in
                let rows = try connection.run(HistoryStatements.release(revision))
                guard let row = rows.first else { throw ConfigRefusal.releaseNotFound(revision) }
                return (try Release(row), try connection.run(HistoryStatements.changes(of: revision)))
            }
        }
        return .uncached(
            try JSONWriter.object { writer in
                writer.members(of: release)
                try writer.member("changes", array: { writer in for change in changes { try writer.change(change) } })
            })
    }

    /// `POST /{environment}/releases/{revision}/restore`: a new release that makes the config what it was then.
    static func restore(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        var intent = try WriteEndpoints.intent(request, by: try context.caller(of: request, with: .configWrite))
        try request.target.query.allow()
        intent.kind = .restore
        let outcome = try context.service.writer.restore(try revision(captures), intent)
        return WriteEndpoints.answer(outcome, context)
    }

    private static func revision(_ captures: Captures) throws(Problem) -> Int64 {
        guard let cursor = Cursor(captures["revision"]), cursor.lineage == nil else {
            throw Problem(.invalidRequest, "expected a revision, a whole number such as 43")
        }
        return cursor.revision
    }
}

/// A page of a list that runs from the newest revision back: the query parameters `limit` and `before`.
private struct Page {
    let limit: Int64
    let before: Int64

    init(_ request: Request, _ context: ConfigContext) throws(Problem) {
        _ = try context.caller(of: request, with: .configRead)
        try request.target.query.allow("limit", "before")
        limit = try request.target.query.integer("limit", in: 1...1000) ?? 100
        before = try request.target.query.integer("before", in: 1...Int64.max) ?? .max
        try request.accepts("application/json")
    }

    func answer(_ documents: [[UInt8]]) -> Response {
        .uncached(Representation.array(documents))
    }
}

extension JSONWriter {
    /// The members of a release, inside an object that has been begun.
    fileprivate mutating func members(of release: Release) {
        member("revision", release.revision)
        member("version", "\(release.version)")
        member("released_at", "\(release.releasedAt)")
        member("kind", release.kind.rawValue)
        member("author", release.author)
        member("message", release.message)
    }

    /// One key's value before and after a release, from a row of its changes.
    fileprivate mutating func change(_ row: Row) throws {
        try object { writer in
            writer.member("key", try row.text("key"))
            for side in ["before", "after"] {
                if let value = try row.optionalBytes(side) { writer.member(side, raw: value) }
            }
            if try row.boolean("purged") { writer.member("purged", true) }
        }
    }
}

extension Response {
    /// An answer with what only some may see.
    static func uncached(_ body: [UInt8], contentType: String = "application/json") -> Response {
        var response = Response(contentType: contentType, body: body)
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }
}
