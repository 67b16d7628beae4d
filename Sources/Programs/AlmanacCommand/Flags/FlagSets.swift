internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The commands `almanac flags export` and `import`.
enum FlagSets {
    static let export = Command(
        name: "flags export", summary: "Print all flags as one document, in flagd's format.",
        options: [
            Option(
                name: "--output", short: "-o", value: "FILE",
                help: "write to this file, and replace an older one atomically; links are followed",
                completion: .file), .at, .version, .json,
        ] + Option.server,
        details: """
            'almanac flags import' reads the document, and so does flagd. flagd's format does not contain the
            version of splits; a line on standard error shows it, for --fractional of an import. Another line
            names the flags whose rules flagd does not understand, because they use Almanac's own operators.
            Requires a token with the scope config:read.
            """,
        example: "$ almanac flags export > flags.json"
    ) { arguments in
        let set = try arguments.remote(writes: true).flagSet(
            at: try arguments.at(), version: arguments.option(Option.version.name))
        let document = JSONValue.object(set.document)
        let text = arguments.wantsJSON ? "\(document)\n" : document.pretty
        if let version = set.fractional {
            Process.report(
                "almanac: note: splits are of version \(version); give --fractional \(version) to import them "
                    + "where there are no flags yet")
        }
        let foreign = set.flagsBeyondFlagd.map { "\($0.key) (\($0.names.joined(separator: ", ")))" }
        if !foreign.isEmpty {
            Process.report(
                "almanac: note: flagd does not understand \(ConfigHistory.shortened(foreign)); "
                    + "'almanac flags resplit' replaces almanac.split")
        }
        guard let path = arguments.option("--output") else {
            try Process.output(text)
            return .success
        }
        do { try File.replace(path, contents: Array(text.utf8), permissions: 0o644) } catch {
            throw CommandFailure(description: "\(path): \(error)")
        }
        return .success
    }

    static let importSet = Command(
        name: "flags import", summary: "Replace all flags with the flags of a document, in one release.",
        operands: [Operand(name: "FILE", isOptional: true, completion: .file)],
        options: [
            Option(
                name: "--fractional", value: "VERSION",
                help: "the version of splits: 2, which flagd used up to 2026, or 3; default: the present version, "
                    + "or 2 if there are no flags; another version changes the variant of about half of all callers",
                completion: .words(["2", "3"])),
            Option(name: "--lenient", help: "accept flags with faults; callers of these flags get errors"),
            .dryRun, .yes, .propose, .message, .json,
        ] + Option.server,
        details: """
            FILE is a document in flagd's format, as 'almanac flags export' prints it. Without FILE, or with -,
            the document is read from standard input. Flags that the document lacks are removed. Entries that
            are not flags stay as they are. If somebody else changes the config meanwhile, nothing is done and
            the exit status is 4. In an environment that its server marks with "caution", the command asks
            first.
            """,
        example: """
            $ almanac flags import flags.json --dry-run
            ~ new-ui (flag) /state: "ENABLED" -> "DISABLED"
            - old-ui (flag): {"state":"ENABLED","variants":{"on":true},"defaultVariant":"on"}
            $ almanac flags export -e development | almanac flags import -e staging --fractional 3
            """
    ) { arguments in
        let document = try FlagCommands.object(arguments.optional("FILE") ?? "-", "FILE")
        let (fractional, isLenient) = (try FlagTesting.fractional(arguments), arguments.has("--lenient"))
        let message = try arguments.message()
        let remote = try arguments.remote(writes: true)
        let present = try remote.flagSet()
        let after = StoredFlagSet(document: document, fractional: fractional, tag: nil)
        let difference = ConfigDifference(from: present.state, to: after.state)
        if arguments.has(Option.dryRun.name) {
            let forecast = try remote.forecastOfReplacingFlags(
                by: document, fractional: fractional, isLenient: isLenient)
            return try ConfigChange.show(difference, forecast, arguments)
        }
        let gone = difference.changes.filter { $0.after == nil && $0.kind == "flag" }.map(\.key)
        let loss = gone.isEmpty ? "" : " Removed flags: \(ConfigHistory.shortened(gone))."
        guard
            try Confirmation.isGiven(
                "replaces all flags", "Replace all flags of \(remote.name) with those of the document?\(loss)", remote,
                arguments)
        else { return .failed }
        let outcome = try remote.replaceFlags(
            by: document, fractional: fractional, isLenient: isLenient, message: message, ifMatch: present.tag)
        return try outcome.report(arguments)
    }
}
