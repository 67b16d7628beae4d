internal import AlmanacEnvironments
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacTimestamps

/// The commands that begin with `almanac token`.
enum TokenCommand {
    static let all = [
        Command(
            name: "token create", summary: "Create an API token, and print it or write it to a new file.",
            operands: [.environment],
            options: [
                Option(
                    name: "--scope", value: "SCOPE", help: "the token's rights: \(Scope.names); may be repeated",
                    isRepeated: true, completion: .words(Scope.allCases.map(\.rawValue))),
                Option(name: "--label", value: "TEXT", help: "the name of the token, in 1 to 100 characters"),
                Option(
                    name: "--expires-in-days", value: "N",
                    help: "the days until the token expires; on a terminal, the command asks"),
                Option(
                    name: "--no-expiry", help: "the token never expires, but can be revoked; the command does not ask"),
            ] + TokenOwnership.options + [
                Option(
                    name: "--output", value: "FILE", help: "write the token to this new file, which only you can read",
                    completion: .file), .json,
            ] + Option.host,
            details: """
                The token is shown once and stored as a hash. Each scope includes the ones before it: flags:evaluate
                evaluates flags, and sees no rules; config:read reads values, flags and the history; config:write
                changes them; admin allows everything else. config:write:app.banner.* changes only keys that begin
                with app.banner., and config:write:app.theme changes only that key; both can read everything.
                flags:disable:new-ui switches off that one flag, as an alert does, and nothing else.
                """ + "\n" + TokenOwnership.details,
            example: """
                $ almanac token create production --scope config:write --label 'release job' --output job.token
                $ almanac token create production --scope admin --label laptop --owner ada --owner-name 'Ada Byron'
                $ almanac token create production --scope flags:evaluate --label 'iOS app' --no-expiry
                $ almanac token create production --scope 'config:write:app.banner.*' --label CI --expires-in-days 90
                """,
            run: create),
        UserTokenCommand.command,
        Command(
            name: "token set", summary: "Change the owner, the purpose or the label of a token.",
            operands: [.environment, Operand(name: "ID")],
            options: [Option(name: "--label", value: "TEXT", help: "the new name, in 1 to 100 characters")]
                + TokenOwnership.options + [
                    Option(name: "--no-owner", help: "makes the token one of a service account"), .json,
                ] + Option.host,
            details: "'almanac token list' shows the ids. A new owner ends the sessions of the old one.\n"
                + TokenOwnership.details,
            example: """
                $ almanac token set production a1b2c3d4 --owner ada --owner-name 'Ada Byron'
                a1b2c3d4 (release job) belongs to Ada Byron
                """, run: set),
        Command(
            name: "token list", summary: "List an environment's tokens.", operands: [.environment],
            options: [.json] + Option.host,
            details: "Shows ids, labels, owners, scopes, creation, expiry and last use, but no tokens.",
            example: """
                $ almanac token list production
                id        label        owner            scopes        state  created                   last used
                a1b2c3d4  release job  Ada Byron        config:write  valid  2025-12-01T00:00:00.000Z  never
                b2c3d4e5  status page  service account  config:read   valid  2025-12-01T00:00:00.000Z  never
                """, run: list),
        Command(
            name: "token rotate", summary: "Replace a token with a new one; the old token stays valid for a while.",
            operands: [.environment, Operand(name: "ID")],
            options: [
                Option(
                    name: "--overlap-hours", value: "N",
                    help: "the hours that the old token stays valid; default: 24; 0 revokes it at once"),
                Option(
                    name: "--expires-in-days", value: "N",
                    help: "the days until the new token expires; default: the lifetime of the old one"),
                Option(
                    name: "--output", value: "FILE", help: "write the token to this new file, which only you can read",
                    completion: .file), .json,
            ] + Option.host,
            details: """
                The new token has the label, the scopes and the owner of the old one, and is shown once. Give it to
                everything that uses the old token before the old token expires.
                """,
            example: "$ almanac token rotate production a1b2c3d4 --overlap-hours 48 --output job-2.token", run: rotate),
        Command(
            name: "token revoke", summary: "Revoke a token, at once and permanently.",
            operands: [.environment, Operand(name: "ID")], options: [.json] + Option.host,
            details: "'almanac token list' shows the ids.",
            example: "$ almanac token revoke production a1b2c3d4\na1b2c3d4 (release job) is revoked", run: revoke),
    ]

    private static func create(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        let scopes = try arguments.scopes()
        guard !scopes.isEmpty else { throw UsageFailure("--scope is missing; expected \(Scope.names)") }
        guard let label = try label(arguments) else { throw UsageFailure("--label is missing") }
        let ownership = try TokenOwnership(arguments)
        let expiry = try expiry(arguments)
        return try deliver(APIToken(environment: environment.name.text), arguments) { token in
            let connection = try environment.connectAsOwner()
            return try TokenAdministration(connection, by: .hostUser).create(
                token, label: label, scopes: scopes, expiresAt: expiry,
                owner: ownership.owner(in: environment, on: connection), purpose: ownership.purpose ?? "")
        }
    }

    private static func label(_ arguments: Arguments) throws(UsageFailure) -> String? {
        guard let label = arguments.option("--label") else { return nil }
        guard (1...100).contains(label.unicodeScalars.count) else {
            throw UsageFailure("--label must have 1 to 100 characters")
        }
        return label
    }

    private static func set(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        let label = try label(arguments)
        let ownership = try TokenOwnership(arguments)
        let isService = arguments.has("--no-owner")
        guard !isService || !ownership.hasOwner else {
            throw UsageFailure("--owner and --no-owner exclude each other")
        }
        guard label != nil || ownership.purpose != nil || ownership.hasOwner || isService else {
            throw UsageFailure("nothing to change; give --owner, --no-owner, --purpose or --label")
        }
        let connection = try environment.connectAsOwner()
        let owner = try ownership.owner(in: environment, on: connection)
        let id = arguments.operand("ID")
        let record = try TokenAdministration(connection, by: .hostUser).change(
            id: id, label: label, purpose: ownership.purpose,
            owner: isService ? .set(nil) : owner.map { .set($0) } ?? .keep)
        guard let record else {
            throw CommandFailure(description: "environment '\(environment.name)' has no token with the id \(id)")
        }
        if arguments.wantsJSON {
            try Output.json(record.json)
        } else {
            let owned = record.owner == nil ? "is a service account" : "belongs to \(record.ownerText)"
            try Process.output("\(record.id) (\(TextTable.line(record.label))) \(owned)\n")
        }
        return .success
    }

    private static func rotate(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        let hours = try arguments.number("--overlap-hours", in: 0...2160).flatMap { Int64($0) } ?? 24
        let expiry = try time(arguments)
        let id = arguments.operand("ID")
        return try deliver(APIToken(environment: environment.name.text), arguments) { token in
            let record = try administration(environment).rotate(
                id: id, to: token, expiresAt: expiry, overlap: hours * 3600)
            guard let record else {
                throw CommandFailure(
                    description: "environment '\(environment.name)' has no valid token with the id \(id)")
            }
            return record
        }
    }

    private static func administration(_ environment: EnvironmentSettings) throws -> TokenAdministration {
        TokenAdministration(try environment.connectAsOwner(), by: .hostUser)
    }

    /// Delivers a new token. A file is written before the token is valid, so that a failed write loses no valid token.
    private static func deliver(
        _ token: APIToken, _ arguments: Arguments, make: (APIToken) throws -> TokenRecord
    ) throws -> ExitStatus {
        guard let path = arguments.option("--output") else {
            let record = try make(token)
            if arguments.wantsJSON {
                try Output.json(["id": .string(record.id), "token": .string(token.text)])
            } else {
                try Process.output(token.text + "\n")
            }
            return .success
        }
        do {
            try File.createPrivate(path, contents: Array((token.text + "\n").utf8))
        } catch {
            throw CommandFailure(description: "\(path): \(error)")
        }
        let record: TokenRecord
        do { record = try make(token) } catch {
            File.remove(path)
            throw error
        }
        if arguments.wantsJSON { try Output.json(["id": .string(record.id), "file": .string(path)]) }
        return .success
    }

    private static func list(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        let records = try administration(environment).list()
        if arguments.wantsJSON {
            try Output.json(.array(records.map(\.json)))
        } else {
            try Process.output(table(records, .ofOutput))
        }
        return .success
    }

    private static func revoke(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        let id = arguments.operand("ID")
        guard let record = try administration(environment).revoke(id: id) else {
            throw CommandFailure(description: "environment '\(environment.name)' has no token with the id \(id)")
        }
        if arguments.wantsJSON {
            try Output.json(["id": .string(record.id), "label": .string(record.label), "revoked": true])
        } else {
            try Process.output("\(record.id) (\(record.label)) is revoked\n")
        }
        return .success
    }

    /// Returns the expiry of a new token, and asks for it at a terminal.
    private static func expiry(_ arguments: Arguments) throws -> Timestamp? {
        if arguments.has("--no-expiry") {
            guard !arguments.has("--expires-in-days") else {
                throw UsageFailure("--no-expiry and --expires-in-days exclude each other")
            }
            return nil
        }
        guard !arguments.has("--expires-in-days"), Terminal.isInput, Terminal.isErrors else {
            return try time(arguments)
        }
        Terminal.show("Days until the token expires (empty: never): ")
        guard let line = readLine() else {
            throw UsageFailure("no token was created; give --expires-in-days or --no-expiry")
        }
        let answer = line.split(separator: " ").joined()
        return answer.isEmpty ? nil : try time(days: answer, "the answer")
    }

    private static func time(_ arguments: Arguments) throws(UsageFailure) -> Timestamp? {
        guard let text = arguments.option("--expires-in-days") else { return nil }
        return try time(days: text, "--expires-in-days")
    }

    private static func time(days text: String, _ source: String) throws(UsageFailure) -> Timestamp {
        guard let days = Int64(text), (1...36_500).contains(days) else {
            throw UsageFailure("\(source) must be a whole number from 1 to 36500")
        }
        return Timestamp(milliseconds: WallClock.milliseconds).advanced(bySeconds: days * 86_400)
    }

    private static func table(_ records: [TokenRecord], _ style: OutputStyle) -> String {
        let rows = records.map { record in
            [
                record.id, TextTable.line(record.label), record.ownerText,
                record.scopes.map(\.rawValue).joined(separator: " "), state(record),
                style.time(record.createdAt.description), style.time(record.lastUsedAt?.description ?? "never"),
            ]
        }
        return TextTable.text(["id", "label", "owner", "scopes", "state", "created", "last used"], rows, style)
    }

    private static func state(_ record: TokenRecord) -> String {
        if record.revokedAt != nil { return "revoked" }
        guard let expiry = record.expiresAt else { return "valid" }
        let isValid = record.isValid(at: Timestamp(milliseconds: WallClock.milliseconds))
        return isValid ? "valid until \(expiry)" : "expired"
    }
}

extension Arguments {
    /// Returns the scopes given by `--scope`, without duplicates.
    func scopes() throws(UsageFailure) -> [Scope] {
        var scopes: [Scope] = []
        for text in all("--scope") {
            guard let scope = Scope(rawValue: text) else {
                throw UsageFailure("'\(text)' is not a valid scope; expected \(Scope.names)")
            }
            if !scopes.contains(scope) { scopes.append(scope) }
        }
        return scopes
    }
}
