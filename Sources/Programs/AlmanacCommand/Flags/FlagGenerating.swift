internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The command `almanac flags generate`.
enum FlagGenerating {
    static let command = Command(
        name: "flags generate", summary: "Generate source code with the flags' keys for an app.",
        operands: [Operand(name: "LANGUAGE", completion: .words(["swift"]))],
        options: [
            Option(
                name: "--output", short: "-o", value: "FILE",
                help: "write to this file, and replace an older one atomically", completion: .file),
            Option(
                name: "--manifest", value: "FILE",
                help: "read this OpenFeature manifest instead of the server's", completion: .file), .json,
        ] + Option.server,
        details: """
            LANGUAGE is swift: a key for each flag, with its type and default, for the library AlmanacFlags. The
            same flags always give the same text, so the file can be kept under version control. --json prints
            an object with the member source.
            """,
        example: "$ almanac flags generate swift --output Sources/App/FlagKeys.swift"
    ) { arguments in
        guard arguments.operand("LANGUAGE") == "swift" else {
            throw UsageFailure("unknown language '\(arguments.operand("LANGUAGE"))'; expected swift")
        }
        let source: FlagKeysGenerator
        if let path = arguments.option("--manifest") {
            source = FlagKeysGenerator(origin: path, manifest: try FlagCommands.object(path, "--manifest"))
        } else {
            let remote = try arguments.remote()
            source = FlagKeysGenerator(origin: remote.name, manifest: try remote.flagManifest())
        }
        for key in source.skippedKeys {
            Process.report("almanac: note: '\(key)' is skipped: it has no value to infer a type from")
        }
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
}
