internal import AlmanacMigrations
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL
internal import Foundation

extension TestDatabase {
    /// The role that owns the schema.
    public static let owner = "almanac_owner"
    /// A login role whose only rights are those that migrations grant to workers.
    public static let worker = "almanac_tests_worker"
}

extension TestDatabase.Template {
    /// A database after `almanac migrate`, owned by `almanac_owner`.
    public static let migrated = TestDatabase.Template(owner: TestDatabase.owner) { settings in
        let connection = try Connection(settings)
        try connection.execute(script: "set session authorization \(TestDatabase.owner)")
        _ = try Migrator(connection).migrate(Migration.all(inFolder: Checkout.path("sql/migrations")))
    }

    /// An empty database owned by `almanac_owner`, the state before `almanac migrate`.
    public static let owned = TestDatabase.Template(owner: TestDatabase.owner) { _ in }
}

/// The checkout that the tests belong to.
public enum Checkout {
    /// Returns the full path of a file of the checkout: `sql/schema.sql`.
    public static func path(_ name: String) -> String {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        // This file's path below the checkout has three components: Tests, Support and the file name.
        return (parts.dropLast(3) + [Substring(name)]).joined(separator: "/")
    }

    public static func text(_ name: String) throws -> String {
        String(decoding: try File.read(path(name)), as: UTF8.self)
    }

    /// Returns the contents of every file in a folder and its subfolders whose name has the suffix.
    public static func texts(_ folder: String, ending: String) throws -> [String] {
        let path = URL(fileURLWithPath: path(folder)).resolvingSymlinksInPath().path
        return try FileManager.default.subpathsOfDirectory(atPath: path).filter { $0.hasSuffix(ending) }
            .map { try text("\(folder)/\($0)") }
    }
}

/// The roles of `sql/roles.sql`, which belong to the cluster rather than to a database.
enum Roles {
    /// Creates the missing roles. Several processes may call this at the same time.
    static func create() throws {
        let connection = try Connection(TestCluster.settings)
        for role in [
            "\(TestDatabase.owner) login", "almanac_worker", "\(TestDatabase.worker) login in role almanac_worker",
        ] {
            try connection.execute(
                script: """
                    do $$ begin
                        create role \(role);
                    exception when duplicate_object or unique_violation then null;
                    end $$
                    """)
        }
    }
}
