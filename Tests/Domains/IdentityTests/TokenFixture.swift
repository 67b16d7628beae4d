import AlmanacHTTP
import AlmanacIdentity
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

/// Runs a closure. Returns the problem that it throws, or nil.
func problem(_ body: () throws -> some Any) -> Problem? {
    do {
        _ = try body()
    } catch let problem as Problem {
        return problem
    } catch {
        Issue.record(error)
    }
    return nil
}

/// The tokens of an environment named `staging`, as seen by the owner, who creates them, and by a worker's store.
struct TokenFixture {
    let database: TestDatabase
    let administration: TokenAdministration
    let pool: Pool
    let store: TokenStore
    let authenticator: Authenticator

    init() throws {
        database = try TestDatabase.current
        administration = TokenAdministration(
            try Connection(database.settings(user: TestDatabase.owner)), by: Author("tests", .host))
        let settings = ConnectionSettings(
            conninfo: database.conninfo(user: TestDatabase.worker), applicationName: "almanac-tokens")
        pool = Pool(settings, size: 1)
        store = TokenStore(environment: "staging", pool: pool)
        authenticator = Authenticator(tokens: store) { _ throws(Problem) in
            throw Problem(
                .tokenRefused, "no users here",
                headers: [("WWW-Authenticate", "Bearer realm=\"almanac\", error=\"invalid_token\"")])
        }
    }

    /// Creates a token without loading it into the store.
    func make(
        _ label: String = "app", _ scopes: [Scope] = [.configRead], expiresAt: Timestamp? = nil
    ) throws -> (token: APIToken, record: TokenRecord) {
        try administration.create(environment: "staging", label: label, scopes: scopes, expiresAt: expiresAt)
    }

    /// Returns the lines of the audit log in short form, oldest first: action, author and subject.
    func audit() throws -> [String] {
        let lines = Statement(
            """
            -- name: test_audit
            select concat_ws(' ', action, author, author_kind, token_id, subject) as line from audit_log order by id
            """)
        return try Connection(database.settings).run(lines).map { try $0.text("line") }
    }

    func caller(_ token: APIToken) throws -> Caller { try authenticator.caller(authorization: "Bearer \(token.text)") }

    func record(_ id: String) throws -> TokenRecord {
        try #require(administration.list().first { $0.id == id })
    }

    /// Makes the database refuse connections, and terminates the existing ones.
    func close() throws {
        try Connection(TestCluster.settings).execute(
            script: """
                alter database \(database.name) with allow_connections false;
                select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '\(database.name)';
                """)
    }

    func open() throws {
        try Connection(TestCluster.settings).execute(
            script: "alter database \(database.name) with allow_connections true")
    }

    /// Returns the number of the store's database sessions.
    func sessions() throws -> Int {
        let count = Statement(
            """
            -- name: sessions
            select count(*) as count from pg_stat_activity where datname = $1 and application_name = 'almanac-tokens'
            """)
        return try Connection(TestCluster.settings).run(count, .text(database.name))[0].integer("count")
    }

    /// Returns the number of sequential scans of the token table so far.
    func scans() throws -> Int {
        let scans = Statement(
            "-- name: scans\nselect seq_scan as scans from pg_stat_user_tables where relname = 'api_tokens'")
        return try Connection(database.settings).run(scans)[0].integer("scans")
    }
}
