import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

/// The outbox in the running test's database.
struct OutboxFixture {
    static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    let database: TestDatabase
    let connection: Connection

    init() throws {
        database = try TestDatabase.current
        connection = try Connection(database.settings)
    }

    /// Adds a hook for all events, made by a token that has the scopes.
    func addHook(_ id: String, _ server: ScriptedServer, scopes: String = "config:read") throws {
        try connection.execute(
            script: """
                insert into api_tokens (id, digest, label, scopes)
                values ('\(id.prefix(8))', decode(repeat(md5('\(id)'), 2), 'hex'), 'a', '{\(scopes)}');
                insert into hooks (id, url, label, format, types, secret, author, author_kind, token_id)
                values ('\(id)', '\(server.base)/\(id)', 'a', 'json', '{release.created,flag.disabled,hook.disabled}',
                    '\(Self.secret)', 'a', 'token', '\(id.prefix(8))')
                """)
    }

    func release(_ revision: Int, key: String = "pay.limit", to value: String = "2") throws {
        try connection.execute(
            script: """
                begin;
                set local role \(TestDatabase.worker);
                insert into config_releases (revision, major, minor, patch, released_at, kind, author, message)
                values (\(revision), 1, \(revision), 0, timestamptz '2026-12-01T10:00:00Z'
                    + \(revision) * interval '1 second', 'change', 'Ada', 'Raise it');
                insert into config_changes (revision, key, before, after, from_major)
                values (\(revision), '\(key)', '1', '\(value)', 1);
                commit
                """)
    }

    /// Makes all waiting deliveries due, and ends all leases.
    func passTime() throws {
        try connection.execute(
            script: "update deliveries set next_attempt_at = now(), leased_until = null where state = 'open'")
    }

    /// Counts the deliveries that fulfil a condition.
    func count(_ condition: String) throws -> Int {
        try connection.run(
            Statement("-- name: test_count\nselect count(*)::integer as n from deliveries where \(condition)")
        ).single("deliveries").integer("n")
    }

    func header(_ name: String, _ message: String) throws -> String {
        let line = try #require(message.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") })
        return String(line.dropFirst(name.utf8.count + 2))
    }

    /// Returns the id of a received event, without the lineage.
    func id(_ message: String) throws -> String {
        try header("webhook-id", message).split(separator: ":").dropFirst().joined(separator: ":")
    }
}
