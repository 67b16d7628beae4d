internal import AlmanacClient
internal import AlmanacPOSIX

/// The command `almanac flags generate`.
enum FlagGenerating {
    static let command = Command(
        name: "flags generate", summary: "Generate source code with the flags' keys for an app.",
        operands: [KeySource.language],
        options: [
            KeySource.output,
            Option(
                name: "--manifest", value: "FILE",
                help: "read this OpenFeature manifest instead of the server's", completion: .file), .json,
        ] + Option.server,
        details: """
            The code has each flag's key, type and default. The same flags always give the same text, so the file
            can be kept under version control. --json prints an object with the member source.

            swift is for the library AlmanacFlags. typescript has accessors for OpenFeature's SDK for the web:
            flags.name(client). kotlin has accessors for OpenFeature's SDK for Kotlin: Flags.name(client).
            """,
        example: "$ almanac flags generate swift --output Sources/App/FlagKeys.swift"
    ) { arguments in
        let language = try KeySource.language(arguments)
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
        try KeySource.write(source.text(in: language), arguments)
        return .success
    }
}
