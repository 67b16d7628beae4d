import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

/// The environment `trial`, with its own database and environments file, and the programs of this release.
struct TrialEnvironment: Sendable {
    let almanac: CommandLineProgram
    let environmentsFile: String
    private let folder: TemporaryFolder

    /// - Parameter attachments: The member `attachments` of the environments file.
    init(_ database: TestDatabase, attachments: JSONValue? = nil) throws {
        folder = try TemporaryFolder()
        environmentsFile = "\(folder.path)/environments.json"
        almanac = try CommandLineProgram(["ALMANAC_ENVIRONMENTS": environmentsFile])
        try use(database, attachments: attachments)
    }

    func use(_ database: TestDatabase, attachments: JSONValue? = nil) throws {
        let document: JSONValue = [
            "trial": [
                "database": .string(database.conninfo(user: TestDatabase.worker)),
                "owner": ["database": .string(database.conninfo(user: TestDatabase.owner))],
                "identity": ["development": true], "config_read": "public", "attachments": attachments ?? [:],
            ]
        ]
        try folder.write("environments.json", document.serialized())
    }

    /// Runs `almanac migrate` with this release's first `count` migrations, followed by the given scripts.
    @discardableResult
    func migrate(_ count: Int, and scripts: String...) throws -> Command.Outcome {
        let sql = try TemporaryFolder()
        let migrations = try TemporaryFolder()
        let ours = try File.names(inFolder: Checkout.path("sql/migrations")).filter { $0.hasSuffix(".sql") }.sorted()
        for name in ours.prefix(count) {
            try migrations.write(name, File.read(Checkout.path("sql/migrations/\(name)")))
        }
        for (index, script) in scripts.enumerated() {
            try migrations.write(Self.later(count + index + 1), script.utf8)
        }
        // `--sql` names the parent of the folder `migrations`.
        try #require(Command.run("ln", ["-s", migrations.path, "\(sql.path)/migrations"]).succeeded)
        return try almanac.run("migrate", "trial", "--sql", sql.path)
    }

    /// Returns the file name of a migration after this release's.
    static func later(_ number: Int) -> String {
        String(repeating: "0", count: 6 - "\(number)".utf8.count) + "\(number)_later.sql"
    }

    func migrate() throws -> Command.Outcome { try almanac.run("migrate", "trial", "--sql", Checkout.path("sql")) }

    /// Returns a new API token with every permission.
    func token() throws -> String {
        let file = "\(folder.path)/\(UInt64.random(in: .min ... .max)).token"
        _ = try almanac.output("token", "create", "trial", "--scope", "admin", "--label", "tests", "--output", file)
        return String(decoding: try File.read(file), as: UTF8.self).filter { !$0.isWhitespace }
    }

    func userToken(_ subject: String, _ options: String...) throws -> String {
        try almanac.run(["token", "user", "trial", "--sub", subject] + options).output.filter { !$0.isWhitespace }
    }
}
