import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

/// An environment of the running instance, with a database of its own, whose users are those of the tests' provider.
struct ProviderEnvironment {
    static let name = "club"
    private let instance: Instance
    private let folder: TemporaryFolder

    /// Does something while the environment is there.
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
                "identity",
                ["issuer": .string(try SignInBrowser.issuer), "audience": "https://notes.example.com"])
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
        // In place: it belongs to others, who may read it.
        _ = try Command.run("sh", ["-c", "cat > \"$0\"", path], input: bytes)
        try instance.run("--reload")
    }

    /// The command line of somebody with a home folder of their own.
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
