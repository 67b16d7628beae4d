public import AlmanacPostgreSQL
internal import Synchronization
public import Testing

/// A test's own database, dropped when the test ends.
public struct TestDatabase: Sendable {
    public let name: String
    private let cluster: String

    /// The database, with the cluster's superuser as the user.
    public var settings: ConnectionSettings { settings(user: nil) }

    /// Returns settings for the database with another role as the user, or the superuser for nil.
    public func settings(user: String?) -> ConnectionSettings {
        ConnectionSettings(conninfo: conninfo(user: user), applicationName: "almanac-tests")
    }

    public func conninfo(user: String? = nil) -> String {
        "\(cluster) dbname=\(name)" + (user.map { " user=\($0)" } ?? "")
    }

    public static func with<Result>(
        template: Template? = nil, _ body: (TestDatabase) throws -> Result
    ) throws -> Result {
        let database = try create(from: template)
        defer { database.drop() }
        return try body(database)
    }

    public static func with<Result>(
        template: Template? = nil, _ body: @concurrent (TestDatabase) async throws -> Result
    ) async throws -> Result {
        let database = try create(from: template)
        defer { database.drop() }
        return try await body(database)
    }

    private static func create(from template: Template?) throws -> TestDatabase {
        guard let template else { return try create("") }
        // The copy needs an owner clause, because it belongs to the copying role. Copying via the WAL takes twice the
        // time.
        return try create("template \(try template.name) strategy file_copy \(template.ownership)")
    }

    static func create(_ options: String) throws -> TestDatabase {
        let name = "almanac_test_" + String(UInt64.random(in: .min ... .max), radix: 36)
        let cluster = try TestCluster.conninfo
        try Connection(TestCluster.settings).execute(script: "create database \(name) \(options)")
        return TestDatabase(name: name, cluster: cluster)
    }

    private func drop() {
        do {
            try Connection(TestCluster.settings).execute(script: "drop database if exists \(name) with (force)")
        } catch {
            Issue.record(error, "the test's database \(name) is left over")
        }
    }
}

extension TestDatabase {
    /// A database that is prepared once per run and then copied for each test, which is faster than preparing each.
    ///
    /// The database exists until the run's cluster is deleted.
    public final class Template: Sendable {
        private let owner: String?
        private let prepare: @Sendable (ConnectionSettings) throws -> Void
        private let prepared = Mutex<String?>(nil)

        /// - Parameters:
        ///   - owner: the role of `Roles` that owns the database and its copies; nil is the superuser.
        ///   - prepare: fills the empty database as the superuser, and leaves no connection open.
        public init(owner: String? = nil, _ prepare: @escaping @Sendable (ConnectionSettings) throws -> Void) {
            self.owner = owner
            self.prepare = prepare
        }

        /// The owner clause of `create database`.
        var ownership: String { owner.map { "owner \($0)" } ?? "" }

        var name: String {
            get throws {
                try prepared.withLock { prepared in
                    if let prepared { return prepared }
                    if owner != nil { try Roles.create() }
                    let database = try TestDatabase.create(ownership)
                    try prepare(database.settings)
                    prepared = database.name
                    return database.name
                }
            }
        }
    }

    /// The database of the running test, which must have the trait `.database`.
    public static var current: TestDatabase {
        get throws { try #require(running, "the test lacks the trait .database") }
    }

    @TaskLocal fileprivate static var running: TestDatabase?
}

/// Gives each test, and each case of a parametrised test, a fresh database (`TestDatabase.current`) and allows it to
/// block.
public struct DatabaseTrait: TestTrait, SuiteTrait, TestScoping {
    let template: TestDatabase.Template?

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            try await TestSeconds.measure(test) {
                try await TestDatabase.with(template: template) { database in
                    try await TestDatabase.$running.withValue(database) { try await function() }
                }
            }
        }
    }
}

extension Trait where Self == DatabaseTrait {
    public static var database: Self { DatabaseTrait(template: nil) }

    public static func database(_ template: TestDatabase.Template) -> Self { DatabaseTrait(template: template) }
}

public func withTestDatabase<Result>(_ body: (ConnectionSettings) throws -> Result) throws -> Result {
    try TestDatabase.with { database in try body(database.settings) }
}
