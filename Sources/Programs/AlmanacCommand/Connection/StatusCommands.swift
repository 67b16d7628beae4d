internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacMigrations
internal import AlmanacPOSIX
internal import AlmanacRevisions

/// The commands `almanac status`, `whoami` and `version`.
enum StatusCommands {
    static let all = [
        Command(
            name: "status",
            summary: "Show the server, the environment, its config's revision, and the owner of the token.",
            options: [.json] + Option.server,
            details: "The exit status is 1 if the server cannot be reached, and 5 if it does not accept the token.",
            example: """
                $ almanac status
                server       https://localhost:8443
                environment  development
                config       revision 43, version 2.3.1, changed Fri, 02 Jan 2026 09:00:00 GMT
                entries      27 of at most 10000
                release      1.0.0, since 2026-01-01T03:00:00.000Z
                database     PostgreSQL 15.14, schema 9, 12 MB, answered in 1 ms
                backup       newest 5 h ago, or none yet
                as           release job (API token a1b2c3d4 of Ada), config:write, until it is revoked
                """, run: status),
        Command(
            name: "whoami", summary: "Show the token's owner, scopes and expiry.", options: [.json] + Option.server,
            example: """
                $ almanac whoami
                release job (API token a1b2c3d4 of Ada), config:write, until it is revoked
                """, run: whoami),
        Command(
            name: "version", summary: "Show the release of this program, and the version of its database schema.",
            options: [.json],
            example: "$ almanac version\nalmanac \(AlmanacVersion.current), schema \(Schema.required)", run: version),
    ]

    private static func status(_ arguments: Arguments) throws -> ExitStatus {
        let remote = try arguments.remote()
        let session = remote.hasToken ? try remote.session() : nil
        let position = try remote.position()
        let status = try remote.serverStatus()
        if arguments.wantsJSON {
            try Output.json([
                "server": .string(remote.base), "environment": .string(remote.name),
                "revision": .string(position.revision), "version": .string(position.version),
                "stale": .boolean(position.isStale), "session": session.map { .object($0) } ?? .null,
                "status": status.map { .object($0) } ?? .null,
            ])
            return .success
        }
        var config = "revision \(position.revision), version \(position.version)"
        if let time = position.changedAt { config += ", changed \(time)" }
        if position.isStale { config += "; the server's database is unreachable, so a newer revision may exist" }
        try Process.output(
            TextTable.text(
                [["server", remote.base], ["environment", remote.name], ["config", config]]
                    + (status.map(rows) ?? []) + [["as", session.map(text) ?? "nobody: no token is sent"]]))
        return .success
    }

    /// Returns the table rows of a server's status.
    private static func rows(_ status: JSONObject) -> [[String]] {
        func text(_ value: JSONValue?) -> String { TextTable.line(value?.plain ?? "?") }
        let database = status["database"]?.objectValue
        var state = "unreachable"
        if database?["reachable"] == .some(true) {
            let bytes = database?["bytes"]?.numberValue?.int64 ?? 0
            state =
                "PostgreSQL \(text(database?["server_version"])), schema \(text(database?["schema"])), "
                + "\(bytes / 1_000_000) MB, answered in \(text(database?["milliseconds"])) ms"
            if let warning = database?["schema_warning"] { state += "; warning: \(text(warning))" }
            if database?["is_standby"] == .some(true) { state += "; a standby, which accepts no writes" }
        }
        let limit = status["limits"]?.objectValue?["entries"]
        var rows = [
            ["entries", "\(text(status["entries"])) of at most \(text(limit))"],
            ["release", "\(text(status["version"])), since \(text(status["started_at"]))"], ["database", state],
        ]
        if let age = status["backup_age_seconds"]?.numberValue?.int64 {
            rows.append(["backup", "newest \(age < 3600 ? "\(age / 60) min" : "\(age / 3600) h") ago, or none yet"])
        }
        return rows
    }

    private static func whoami(_ arguments: Arguments) throws -> ExitStatus {
        let session = try arguments.remote(writes: true).session()
        if arguments.wantsJSON {
            try Output.json(.object(session))
        } else {
            try Process.output(text(session) + "\n")
        }
        return .success
    }

    private static func version(_ arguments: Arguments) throws -> ExitStatus {
        if arguments.wantsJSON {
            try Output.json(
                ["version": .string(AlmanacVersion.current), "schema": .number(JSONNumber(Schema.required))])
        } else {
            try Process.output("almanac \(AlmanacVersion.current), schema \(Schema.required)\n")
        }
        return .success
    }

    private static func text(_ session: JSONObject) -> String {
        func line(_ name: String) -> String? { session[name]?.stringValue.map(TextTable.line) }
        let person = session["person"]?.objectValue?["name"]?.stringValue.map(TextTable.line)
        let kind = line("token_id").map { "API token \($0)" + (person.map { " of \($0)" } ?? "") } ?? "user"
        let scopes = session["scopes"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let end = line("expires_at").map { "until \($0)" } ?? "until it is revoked"
        return
            "\(line("name") ?? "?") (\(kind)), \(scopes.isEmpty ? "no scope" : scopes.joined(separator: " ")), \(end)"
    }
}
