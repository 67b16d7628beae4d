internal import AlmanacClient
internal import AlmanacPOSIX

/// The command `almanac config generate`.
enum ConfigGenerating {
    static let command = Command(
        name: "config generate", summary: "Generate source code with the config's keys for an app.",
        operands: [KeySource.language], options: [KeySource.output, .version, .json] + Option.server,
        details: """
            The code has each entry's key, its type, and its value as the default. Comments contain the
            descriptions, and name the keys that differ in other majors. --json prints an object with the member
            source.

            swift is for the library AlmanacConfig. A text that is a colour or a web address gets that type; a
            number without a fraction is an Int.

            typescript is a module for the client for web pages: config.get(...keys.name).

            kotlin is a file for the values of /config.json, decoded by any library: ConfigKeys.name.from(values).
            An object is a Map.
            """,
        example: "$ almanac config generate swift --version 2 --output Sources/App/ConfigKeys.swift"
    ) { arguments in
        let language = try KeySource.language(arguments)
        let remote = try arguments.remote()
        let version = arguments.option("--version")
        let (entries, state) = try remote.describedEntries(version: version)
        let majors = try knownMajors(remote)
        let major = version.flatMap { $0.split(separator: ".").first }.flatMap { Int64($0) }
        let pinned = majors.first { $0.major == major }?.version ?? version
        let source = ConfigKeysGenerator(
            environment: remote.name, version: pinned ?? state.version ?? "", entries: entries, majors: majors)
        try KeySource.write(source.text(in: language), arguments)
        return .success
    }

    /// Returns the majors; empty if the config is public but the majors need a token, and none is given.
    private static func knownMajors(_ remote: RemoteEnvironment) throws -> [KeptMajor] {
        do {
            return try remote.majors()
        } catch let failure where failure.kind == .notAllowed {
            Process.report("almanac: other majors are omitted, because they need a token with config:read")
            return []
        }
    }
}
