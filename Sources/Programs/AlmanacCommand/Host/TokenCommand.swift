internal import AlmanacEnvironments
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacTimestamps

/// `almanac token`
enum TokenCommand {
    static let all = [
        Command(
            name: "token create", summary: "Make an API token, and print it or write it to a new file.",
            operands: [.environment],
            options: [
                Option(
                    name: "--scope", value: "SCOPE", help: "what it may do: \(Scope.names); may be given several times",
                    isRepeated: true, completion: .words(Scope.allCases.map(\.rawValue))),
                Option(name: "--label", value: "TEXT", help: "what it is for, in 1 to 100 characters"),
                Option(
                    name: "--expires-in-days", value: "N", help: "until when it is good; without, until it is revoked"),
                Option(
                    name: "--output", value: "FILE", help: "a new file, which only you can read", completion: .file),
                .json,
            ] + Option.host,
            details: """
                It is shown once and stored as a hash, so it cannot be shown again. \
                config:write includes config:read, and
                admin includes both.
                """,
            example: "$ almanac token create production --scope config:write --label 'release job' --output job.token",
            run: create),
        UserTokenCommand.command,
        Command(
            name: "token list", summary: "List an environment's tokens.", operands: [.environment],
            options: [.json] + Option.host,
            details:
                "Their ids, labels and scopes, and when each was made, expires and was last used. Never the tokens.",
            example: """
                $ almanac token list production
                id        label        scopes        state  last used
                a1b2c3d4  release job  config:write  valid  2026-01-01T00:00:00.000Z
                """, run: list),
        Command(
            name: "token revoke", summary: "End a token's use, at once and for good.",
            operands: [.environment, Operand(name: "ID")], options: [.json] + Option.host,
            details: "ID is what 'almanac token list' shows.",
            example: "$ almanac token revoke production a1b2c3d4\na1b2c3d4 (release job) is revoked", run: revoke),
    ]

    private static func create(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        let scopes = try arguments.scopes()
        guard !scopes.isEmpty else { throw UsageFailure("--scope is needed; expected \(Scope.names)") }
        guard let label = arguments.option("--label"), (1...100).contains(label.unicodeScalars.count) else {
            throw UsageFailure("--label must tell what the token is for, in 1 to 100 characters")
        }
        let expiry = try expiry(arguments)
        let (token, record) = try TokenAdministration(try environment.connectAsOwner())
            .create(environment: environment.name.text, label: label, scopes: scopes, expiresAt: expiry)
        if let path = arguments.option("--output") {
            do {
                try File.createPrivate(path, contents: Array((token.text + "\n").utf8))
            } catch {
                // A token that nobody can have is of no use to anybody.
                _ = try TokenAdministration(try environment.connectAsOwner()).revoke(id: record.id)
                throw CommandFailure(description: "\(path): \(error)")
            }
            if arguments.wantsJSON { try Output.json(["id": .string(record.id), "file": .string(path)]) }
        } else if arguments.wantsJSON {
            try Output.json(["id": .string(record.id), "token": .string(token.text)])
        } else {
            try Process.output(token.text + "\n")
        }
        return .done
    }

    private static func list(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        let records = try TokenAdministration(try environment.connectAsOwner()).list()
        try Process.output(arguments.wantsJSON ? json(records) : table(records))
        return .done
    }

    private static func revoke(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        let id = arguments.operand("ID")
        guard let record = try TokenAdministration(try environment.connectAsOwner()).revoke(id: id) else {
            throw CommandFailure(description: "environment '\(environment.name)' has no token with the id \(id)")
        }
        if arguments.wantsJSON {
            try Output.json(["id": .string(record.id), "label": .string(record.label), "revoked": true])
        } else {
            try Process.output("\(record.id) (\(record.label)) is revoked\n")
        }
        return .done
    }

    private static func expiry(_ arguments: Arguments) throws(UsageFailure) -> Timestamp? {
        guard let text = arguments.option("--expires-in-days") else { return nil }
        guard let days = Int64(text), (1...36_500).contains(days) else {
            throw UsageFailure("--expires-in-days must be a whole number from 1 to 36500")
        }
        return Timestamp(milliseconds: WallClock.milliseconds).advanced(bySeconds: days * 86_400)
    }

    private static func table(_ records: [TokenRecord]) -> String {
        let rows = records.map { record in
            [
                record.id, record.label, record.scopes.map(\.rawValue).joined(separator: " "), state(record),
                record.lastUsedAt?.description ?? "never",
            ]
        }
        return TextTable.text([["id", "label", "scopes", "state", "last used"]] + rows)
    }

    private static func state(_ record: TokenRecord) -> String {
        if record.revokedAt != nil { return "revoked" }
        guard let expiry = record.expiresAt else { return "valid" }
        let isValid = record.isValid(at: Timestamp(milliseconds: WallClock.milliseconds))
        return isValid ? "valid until \(expiry)" : "expired"
    }

    private static func json(_ records: [TokenRecord]) -> String {
        var writer = JSONWriter()
        writer.array { for record in records { $0.token(record) } }
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }
}

extension JSONWriter {
    fileprivate mutating func token(_ record: TokenRecord) {
        object { writer in
            writer.member("id", record.id)
            writer.member("label", record.label)
            writer.member("scopes", record.scopes.map(\.rawValue))
            let times = [
                ("created_at", record.createdAt), ("expires_at", record.expiresAt),
                ("last_used_at", record.lastUsedAt), ("revoked_at", record.revokedAt),
            ]
            for (name, time) in times {
                writer.member(name, value: time.map { .string("\($0)") } ?? .null)
            }
        }
    }
}

extension Arguments {
    /// The scopes given by `--scope`, each once.
    func scopes() throws(UsageFailure) -> [Scope] {
        var scopes: [Scope] = []
        for text in all("--scope") {
            guard let scope = Scope(rawValue: text) else {
                throw UsageFailure("'\(text)' is no scope; expected \(Scope.names)")
            }
            if !scopes.contains(scope) { scopes.append(scope) }
        }
        return scopes
    }
}

extension Scope {
    /// All of them, for messages.
    static let names = allCases.map(\.rawValue).joined(separator: ", ")
}
