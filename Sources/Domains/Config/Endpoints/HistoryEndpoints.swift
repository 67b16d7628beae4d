internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacHTTP
public import AlmanacIdentity
public import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacRevisions

/// The calls that show the history, and the call that restores a past revision.
enum HistoryEndpoints {
    /// Handles `GET /{environment}/config/{key}/history`: lists every value that a key has had, newest first.
    static func key(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        let query = try query(request, context)
        let key = try EntryKey.checked(captures["key"])
        let rows = try context.service.pool.withConnection { connection in
            let rows = try connection.run(HistoryStatements.history(of: key, query))
            if rows.isEmpty, query.before == .max {
                let known = try connection.run(HistoryStatements.isKnown(key: key)).single("config_changes")
                guard try known.boolean("is_known") else { throw ConfigRefusal.entryNeverExisted(key) }
            }
            return rows
        }
        return answer(
            try rows.map { row in
                try JSONWriter.object { writer in
                    let kind = try row.entryKind("kind")
                    if kind != .value { writer.member("kind", kind.rawValue) }
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
                    writer.member("author_name", value: try authorName(row, context))
                    writer.member("message", try row.text("message"))
                }
            })
    }

    /// Handles `GET /{environment}/releases`: lists the releases with their changed keys, newest first.
    static func releases(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        let query = try query(request, context, and: "key")
        let key = try request.target.query["key"].map { try EntryKey.checked($0) }
        let rows = try context.service.pool.withConnection { try $0.run(HistoryStatements.releases(query, of: key)) }
        return answer(
            try rows.map { row in
                try JSONWriter.object { writer in
                    writer.members(of: try Release(row), authorName: try authorName(row, context))
                    writer.member("keys", try row.textArray("keys"))
                }
            })
    }

    /// Handles `GET /{environment}/releases/{revision}`: returns a release with each key's value before and after.
    static func release(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        _ = try context.caller(of: request, with: .configRead)
        try request.target.query.allow()
        try request.accepts("application/json")
        let revision = try revision(captures)
        let (release, authorName, changes) = try context.service.pool.withConnection { connection in
            try connection.view { connection in
                let rows = try connection.run(HistoryStatements.release(revision))
                guard let row = rows.first else { throw ConfigRefusal.releaseNotFound(revision) }
                let changes = try connection.run(HistoryStatements.changes(of: revision))
                return (try Release(row), try Self.authorName(row, context), changes)
            }
        }
        return .uncached(
            try JSONWriter.object { writer in
                writer.members(of: release, authorName: authorName)
                try writer.member("changes", array: { writer in for change in changes { try writer.change(change) } })
            })
    }

    /// Handles `POST /{environment}/releases/{revision}/restore`: makes a new release with the config of a past
    /// revision. With `dry_run=true`, returns a forecast instead.
    static func restore(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        var intent = try WriteEndpoints.intent(request, context)
        try request.target.query.allow(["dry_run"] + ProposalEndpoints.parameters)
        let isTrial = try request.target.query.boolean("dry_run")
        intent.kind = .restore
        let revision = try revision(captures)
        intent.subject = "\(revision)"
        if try request.target.query.boolean("propose") {
            return try ProposalEndpoints.create(
                request, intent, context, keys: nil, edits: ReleaseWriter.restoring(revision))
        }
        if isTrial {
            return ForecastEndpoints.answer(try context.service.writer.forecastRestore(revision, intent), context)
        }
        let outcome = try context.service.writer.restore(revision, intent)
        return WriteEndpoints.answer(outcome, context)
    }

    /// Parses the query of a history call with further accepted parameters, and requires the scope `config:read`.
    private static func query(
        _ request: Request, _ context: ConfigContext, and others: String...
    ) throws(Problem) -> HistoryQuery {
        _ = try context.caller(of: request, with: .configRead)
        let query = try HistoryQuery(request.target.query, and: others)
        try request.accepts("application/json")
        return query
    }

    /// Returns the name of the person behind the author of a row; null if none is known.
    private static func authorName(_ row: Row, _ context: ConfigContext) throws(PostgresFailure) -> JSONValue {
        try ReleaseAuthor(row).name(by: context.authenticator)
    }

    private static func answer(_ documents: [[UInt8]]) -> Response { .uncached(Representation.array(documents)) }

    static func revision(_ captures: Captures) throws(Problem) -> Int64 {
        guard let cursor = Cursor(captures["revision"]), cursor.lineage == nil else {
            throw Problem(.invalidRequest, "expected a revision, a whole number such as 43")
        }
        return cursor.revision
    }
}

extension ReleaseAuthor {
    /// Returns the name of the person behind the author as JSON; null if none is known.
    public func name(by authenticator: Authenticator) -> JSONValue {
        author.flatMap(authenticator.personName).map { .string($0) } ?? .null
    }
}

extension JSONWriter {
    /// Writes the members of a release into an open object.
    fileprivate mutating func members(of release: Release, authorName: JSONValue) {
        member("revision", release.revision)
        member("version", "\(release.version)")
        member("released_at", "\(release.releasedAt)")
        member("kind", release.kind.rawValue)
        member("author", release.author)
        member("author_name", value: authorName)
        member("message", release.message)
        guard let reason = release.bypassReason else { return }
        member("bypass", reason)
        member("unreviewed", release.isUnreviewed)
    }

    /// Writes one key's value before and after a release, from a row of the release's changes.
    fileprivate mutating func change(_ row: Row) throws {
        try object { writer in
            writer.members(key: try row.text("key"), try row.entryKind("kind"))
            if let before = try row.optionalText("kind_before") { writer.member("kind_before", before) }
            for side in ["before", "after"] {
                if let value = try row.optionalBytes(side) { writer.member(side, raw: value) }
            }
            if try row.optionalBytes("after") != nil { writer.member("description", try row.text("description")) }
            if let before = try row.optionalText("description_before") { writer.member("description_before", before) }
            if try row.boolean("purged") { writer.member("purged", true) }
        }
    }
}
