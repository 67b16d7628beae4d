internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The command `almanac config generate`.
enum ConfigGenerating {
    static let command = Command(
        name: "config generate", summary: "Generate source code with the config's keys for an app.",
        operands: [Operand(name: "LANGUAGE", completion: .words(["swift"]))],
        options: [
            Option(
                name: "--output", short: "-o", value: "FILE",
                help: "write to this file, and replace an older one atomically", completion: .file), .version, .json,
        ] + Option.server,
        details: """
            LANGUAGE is swift: a key for each entry, with its type and with its value as the default, for the
            library AlmanacConfig. A text that is a colour or a web address gets that type; a number without a
            fraction is an Int. Comments contain the descriptions, and name the keys that differ in other
            majors. --json prints an object with the member source.
            """,
        example: "$ almanac config generate swift --version 2 --output Sources/App/ConfigKeys.swift"
    ) { arguments in
        guard arguments.operand("LANGUAGE") == "swift" else {
            throw UsageFailure("unknown language '\(arguments.operand("LANGUAGE"))'; expected swift")
        }
        let remote = try arguments.remote()
        let version = arguments.option("--version")
        let (entries, state) = try remote.describedEntries(version: version)
        let majors = try knownMajors(remote)
        let major = version.flatMap { $0.split(separator: ".").first }.flatMap { Int64($0) }
        let pinned = majors.first { $0.major == major }?.version ?? version
        let source = ConfigKeysGenerator(
            environment: remote.name, version: pinned ?? state.version ?? "", entries: entries, majors: majors)
        guard let path = arguments.option("--output") else {
            if arguments.wantsJSON {
                try Output.json(["source": .string(source.text)])
            } else {
                try Process.output(source.text)
            }
            return .success
        }
        do { try File.replace(path, contents: Array(source.text.utf8), permissions: 0o644) } catch {
            throw CommandFailure(description: "\(path): \(error)")
        }
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
