internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacMigrations
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL
internal import AlmanacRevisions
internal import AlmanacTimestamps

/// The call `GET /{environment}/status`, which shows an environment's state as seen by the worker that answers.
enum StatusEndpoint {
    static func show(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        _ = try context.caller(of: request, with: .configRead)
        try request.target.query.allow()
        try request.accepts("application/json")
        let service = context.service
        let began = MonotonicClock.nanoseconds
        // The response reports an unreachable database, so errors are not thrown.
        let database = try? service.pool.withConnection { connection in
            let row = try connection.run(StatusStatements.database).single("pg_database")
            return (
                status: try DatabaseStatus(row), schema: try Schema.state(connection),
                backup: try connection.newestBackup()
            )
        }
        let milliseconds = Int64((MonotonicClock.nanoseconds - began) / 1_000_000)
        let (snapshot, isStale) = service.store.current
        return .uncached(
            JSONWriter.object { writer in
                writer.members(ofProgram: AlmanacVersion.current)
                writer.member("revision", snapshot.head.revision)
                writer.member("config_version", "\(snapshot.head.version)")
                writer.member("lineage", snapshot.head.lineage)
                writer.member("entries", Int64(snapshot.view(of: nil).live.count))
                writer.member("limits", object: { $0.members(of: service.settings.limits) })
                writer.member(
                    "database",
                    object: { writer in
                        writer.member("reachable", database != nil)
                        writer.member("milliseconds", milliseconds)
                        if let database { writer.members(of: database.status, database.schema) }
                    })
                let age = database.map { max(0, (WallClock.milliseconds - $0.backup.milliseconds) / 1000) }
                writer.member("backup_age_seconds", value: age.map { .number(JSONNumber($0)) } ?? .null)
                writer.member("stale", isStale)
            })
    }
}

extension JSONWriter {
    fileprivate mutating func members(of limits: Limits) {
        for (name, limit) in [
            ("body_bytes", limits.bodyBytes), ("depth", limits.depth), ("entries", limits.entries),
            ("value_bytes", limits.valueBytes), ("flag_set_bytes", max(limits.flagSetBytes, limits.valueBytes)),
            ("note_title_bytes", limits.noteTitleBytes),
            ("note_body_bytes", limits.noteBodyBytes), ("notes", limits.notes),
            ("account_bytes", Int(limits.accountBytes)), ("history_bytes", Int(limits.historyBytes)),
            ("attachment_bytes", limits.attachmentBytes),
            ("attachment_preview_bytes", limits.attachmentPreviewBytes), ("attachments", limits.attachments),
            ("attachments_bytes", Int(limits.attachmentsBytes)), ("attachment_uploads", limits.attachmentUploads),
            ("batch_actions", limits.batchActions), ("streams", limits.streams),
        ] {
            member(name, Int64(limit))
        }
    }

    fileprivate mutating func members(of status: DatabaseStatus, _ schema: SchemaState) {
        member("server_version", status.serverVersion)
        member("schema", Int64(schema.newest))
        if let warning = schema.warning { member("schema_warning", warning) }
        member("bytes", status.bytes)
        member("is_standby", status.isStandby)
    }
}
