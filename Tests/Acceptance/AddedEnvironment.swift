import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

/// An environment that the running instance serves during one test, with its own database.
enum AddedEnvironment {
    /// Runs a body while the environment exists. The environment has no public config.
    ///
    /// - Parameters:
    ///   - name: the environment's name.
    ///   - settings: members of the environments file that replace those of `development`.
    static func with(_ name: String, _ settings: [String: JSONValue], _ body: (Instance) throws -> Void) throws {
        let instance = try Instance.current()
        let path = instance.path("environments.json")
        let before = try File.read(path)
        try TestDatabase.with(template: .migrated) { database in
            let document = try #require(JSONValue(parsing: before).objectValue)
            let development = try #require(document["development"])
            let ours = String(decoding: development.serialized(), as: UTF8.self)
                .replacing("dbname=almanac_development", with: "dbname=\(database.name)")
            var environment = try #require(JSONValue(parsing: Array(ours.utf8)).objectValue)
            environment = environment.setting("config_read", "token")
            for (member, value) in settings { environment = environment.setting(member, value) }
            try use(JSONValue.object(document.setting(name, .object(environment))).serialized(), path, instance)
            defer { try? use(before, path, instance) }
            let anonymous = instance.client()
            try #require(
                try eventually(within: .seconds(20)) {
                    try (0..<10).allSatisfy { _ in try anonymous.send("GET", "/\(name)/config").status == 401 }
                })
            try body(instance)
        }
    }

    private static func use(_ bytes: [UInt8], _ path: String, _ instance: Instance) throws {
        // Write in place, because the file's owner and permissions must stay.
        _ = try Command.run("sh", ["-c", "cat > \"$0\"", path], input: bytes)
        try instance.run("--reload")
    }
}
