internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The command `almanac config generate`.
enum ConfigGenerating {
    static let command = Command(
        name: "config generate", summary: "Write the config's keys as source code for an app.",
        operands: [Operand(name: "LANGUAGE", completion: .words(["swift"]))],
        options: [
            Option(
                name: "--output", short: "-o", value: "FILE",
                help: "write it to a file, all at once, in place of an older one", completion: .file), .version, .json,
        ] + Option.server,
        details: """
            LANGUAGE is swift: keys with the type and the value of each entry as its default, for the library
            AlmanacConfig. A text that is a colour or a web address is read as one; a number written without a fraction
            is an Int. Comments have the descriptions, and say of which keys other majors see something else.
            With --json it is one object with the member source.
            """,
        example: "$ almanac config generate swift --version 2 --output Sources/App/ConfigKeys.swift"
    ) { arguments in
        guard arguments.operand("LANGUAGE") == "swift" else {
            throw UsageFailure("'\(arguments.operand("LANGUAGE"))' can't be generated; expected swift")
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
