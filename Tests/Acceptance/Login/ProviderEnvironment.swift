import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

/// An environment of the running instance that has its own database and trusts the tests' provider.
struct ProviderEnvironment {
    static let name = "club"
    private let instance: Instance
    private let folder: TemporaryFolder

    /// Runs a body while the environment exists.
    static func with(_ body: (ProviderEnvironment) throws -> Void) throws {
        let instance = try Instance.current()
        let path = instance.path("environments.json")
        let before = try File.read(path)
        try TestDatabase.with(template: .migrated) { database in
            var document = try #require(JSONValue(parsing: before).objectValue)
            var environment = try #require(document["development"]?.objectValue)
            let conninfo = try #require(environment["database"]?.stringValue)
            environment = environment.setting(
                "database", .string(conninfo.replacing("dbname=almanac_development", with: "dbname=\(database.name)")))
            environment = environment.setting(
                "identity", ["issuer": .string(try SignInBrowser.issuer), "audience": "https://notes.example.com"])
            environment = environment.setting("config_read", "token")
            document = document.setting(name, .object(environment))
            try use(JSONValue.object(document).serialized(), path, instance)
            defer { try? use(before, path, instance) }
            let anonymous = instance.client()
            try #require(
                try eventually(within: .seconds(20)) {
                    try (0..<10).allSatisfy { _ in try anonymous.send("GET", "/\(name)/config").status == 401 }
                })
            try body(ProviderEnvironment(instance: instance, folder: try TemporaryFolder()))
        }
    }

    private static func use(_ bytes: [UInt8], _ path: String, _ instance: Instance) throws {
        // Write in place, because the file's owner and permissions must stay.
        _ = try Command.run("sh", ["-c", "cat > \"$0\"", path], input: bytes)
        try instance.run("--reload")
    }

    /// Returns the command line of a user with the given home folder.
    func almanac(_ home: TemporaryFolder, _ variables: [String: String] = [:]) throws -> CommandLineProgram {
        let own = [
            "ALMANAC_ENVIRONMENT": Self.name, "ALMANAC_TOKEN_FILE": "",
            "ALMANAC_PROFILE_FILE": "\(home.path)/profile.json",
            "XDG_DATA_HOME": "\(home.path)/data", "ALMANAC_ISSUER": try SignInBrowser.issuer,
            "ALMANAC_CLIENT_ID": "notes-app",
        ]
        return try CommandLineProgram(own.merging(variables) { $1 })
    }
}
