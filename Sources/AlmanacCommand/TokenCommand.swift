internal import Environments
internal import Identity
internal import JSON
internal import POSIX
internal import Timestamps

/// `almanac token`
enum TokenCommand {
    static func create(_ arguments: Arguments) throws {
        var arguments = arguments
        let environment = try arguments.environment(try arguments.next("an environment"))
        try arguments.finish(allowing: "--scope", "--label", "--expires-in-days", "--output")
        let scopes = try arguments.scopes()
        guard !scopes.isEmpty else { throw UsageFailure("--scope is needed; expected \(Scope.names)") }
        guard let label = arguments.option("--label"), (1...100).contains(label.unicodeScalars.count) else {
            throw UsageFailure("--label must tell what the token is for, in 1 to 100 characters")
        }
        let expiry = try expiry(arguments)
        let (token, record) = try TokenAdministration(try environment.connectAsOwner())
            .create(environment: environment.name.text, label: label, scopes: scopes, expiresAt: expiry)
        guard let path = arguments.option("--output") else {
            try Process.output(token.text + "\n")
            return
        }
        do {
            try File.createPrivate(path, contents: Array((token.text + "\n").utf8))
        } catch {
            // A token that nobody can have is of no use to anybody.
            _ = try TokenAdministration(try environment.connectAsOwner()).revoke(id: record.id)
            throw CommandFailure(description: "\(path): \(error)")
        }
    }

    static func list(_ arguments: Arguments) throws {
        var arguments = arguments
        let environment = try arguments.environment(try arguments.next("an environment"))
        try arguments.finish(allowing: "--json")
        let records = try TokenAdministration(try environment.connectAsOwner()).list()
        try Process.output(arguments.option("--json") == nil ? table(records) : json(records))
    }

    static func revoke(_ arguments: Arguments) throws {
        var arguments = arguments
        let environment = try arguments.environment(try arguments.next("an environment"))
        let id = try arguments.next("a token's id, as 'almanac token list' shows it")
        try arguments.finish()
        guard let record = try TokenAdministration(try environment.connectAsOwner()).revoke(id: id) else {
            throw CommandFailure(description: "environment '\(environment.name)' has no token with the id \(id)")
        }
        try Process.output("\(record.id) (\(record.label)) is revoked\n")
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
        let all = [["id", "label", "scopes", "state", "last used"]] + rows
        let widths = (0..<5).map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed()) + "\n"
        }.joined()
    }

    private static func state(_ record: TokenRecord) -> String {
        if record.revokedAt != nil { return "revoked" }
        guard let expiry = record.expiresAt else { return "valid" }
        let isValid = record.isValid(at: Timestamp(milliseconds: WallClock.milliseconds))
        return isValid ? "valid until \(expiry)" : "expired"
    }

    private static func json(_ records: [TokenRecord]) -> String {
        var writer = JSONWriter()
        writer.beginArray()
        for record in records {
            writer.beginObject()
            writer.name("id")
            writer.string(record.id)
            writer.name("label")
            writer.string(record.label)
            writer.name("scopes")
            writer.beginArray()
            for scope in record.scopes { writer.string(scope.rawValue) }
            writer.endArray()
            let times = [
                ("created_at", record.createdAt), ("expires_at", record.expiresAt),
                ("last_used_at", record.lastUsedAt), ("revoked_at", record.revokedAt),
            ]
            for (name, time) in times {
                writer.name(name)
                if let time { writer.string("\(time)") } else { writer.null() }
            }
            writer.endObject()
        }
        writer.endArray()
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }
}
