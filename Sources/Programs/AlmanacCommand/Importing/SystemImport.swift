internal import AlmanacClient
internal import AlmanacImporting
internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacTargeting

/// The command `almanac import`.
enum SystemImport {
    static let all = [command]

    private static let take = Option(
        name: "--take", value: "SIDE",
        help: "decide conflicts: theirs takes the files' value, mine keeps the environment's; KEY=theirs and KEY=mine "
            + "decide one key, and may be given several times",
        isRepeated: true, completion: .words(ImportSide.allCases.map(\.rawValue)))

    static let command = Command(
        name: "import", summary: "Import the flags of another flag system, in one release.",
        operands: [
            Operand(name: "SYSTEM", completion: .words(SourceSystem.allCases.map(\.rawValue))),
            Operand(name: "FILE", isRepeated: true, completion: .file),
        ],
        options: [
            Option(name: "--from", value: "NAME", help: "the environment in the files, if they have several"),
            Option(
                name: "--verify",
                help:
                    "compare 10,000 callers' answers with the other system's own rules; with a difference, nothing is "
                    + "written"),
            Option(
                name: "--compare",
                help: "compare these answers with the flags as they are in the environment now, and write nothing"),
            take,
            Option(
                name: "--output", short: "-o", value: "FILE",
                help: "write the translated flags to this file, in flagd's format, and nothing to the server",
                completion: .file), .dryRun, .yes, .propose, .message, .json,
        ] + Option.server,
        details: """
            SYSTEM is \(SourceSystem.allCases.map(\.rawValue).joined(separator: ", ")).
            FILE is a file that the system exports, in JSON or YAML. The files have at most 64 MiB together; with -,
            standard input is read. The command shows a report: a flag is 'exact', or 'differs' in the named cases,
            or 'cannot' be kept and is left out. Then it asks, and writes one release. Users keep their variants,
            because split flags keep the other system's hash.
            A later import takes what changed in the files since, and keeps what changed here. If both changed a part
            of a flag, both values are shown, nothing is written without --take, and the exit status is 4. Flags that
            the files no longer have stay. Requires a token with the scopes config:read and config:write.
            """,
        example: """
            $ almanac import unleash features.json --from production --dry-run --verify
            $ almanac import unleash features.json --from production --yes
            """
    ) { arguments in
        let isJSON = arguments.wantsJSON
        let path = arguments.option("--output")
        let isReading = arguments.has(Option.dryRun.name) || arguments.has("--compare") || path != nil
        if isJSON, !isReading, !arguments.has(Option.yes.name) {
            throw UsageFailure("with --json, give --yes to write without a question, or --dry-run")
        }
        let (sides, message) = (try sides(arguments), try arguments.message())
        var project = try read(arguments)
        if let path { return try write(project, to: path, arguments) }
        let remote = try arguments.remote(writes: true)
        let state = try remote.wholeState()
        let present = try PresentConfig(state)
        project.fractional = present.fractional
        let merge = ImportMerge(project.limited(to: limits(of: remote)), into: present) { sides[$0] ?? sides[""] }
        var report = ImportReport(merge)
        if project.usesOwnSplits, present.fractional == .version2 {
            Process.report(
                "almanac: note: Almanac's own splits are of version 2 in '\(remote.name)', as in older flagd")
        }
        if arguments.has("--compare") {
            report.verify(answeredBy: present.flagSet)
            return try report.end(report.hasDifferences ? .failed : .success, arguments)
        }
        if arguments.has("--verify") { report.verify() }
        let difference = try ConfigDifference(merge, from: state)
        if report.hasDifferences { return try report.end(.failed, arguments) }
        if !merge.conflicts.isEmpty { return try report.end(.conflict, arguments) }
        if arguments.has(Option.dryRun.name) || difference.isEmpty {
            let forecast = difference.isEmpty ? nil : try remote.forecast(difference, ifMatch: state.tag)
            if isJSON { return try report.end(.success, arguments, difference, forecast) }
            try report.show()
            return try ConfigChange.show(difference, forecast, arguments)
        }
        if !isJSON { try report.show() }
        let question = "Write \(difference.changes.count) changes to \(remote.name)?"
        guard try Confirmation(arguments, "writes flags to '\(remote.name)'").isGiven(question) else { return .failed }
        let outcome = try remote.apply(
            difference, message: message ?? title(merge.project, arguments), ifMatch: state.tag)
        defer { KeptValues.warn(of: outcome.keys.filter { !outcome.removed.contains($0) }, remote) }
        if isJSON { return try report.end(.success, arguments, difference, release: outcome) }
        return try outcome.report(arguments)
    }

    /// Returns the system that the command line names.
    private static func system(_ arguments: Arguments) throws(UsageFailure) -> SourceSystem {
        let word = arguments.operand("SYSTEM")
        guard let system = SourceSystem(rawValue: word) else {
            let known = SourceSystem.allCases.map(\.rawValue)
            throw UsageFailure(
                "unknown system '\(word)'; expected \(known.joined(separator: ", "))"
                    + Suggestion.text(for: word, among: known))
        }
        return system
    }

    private static func read(_ arguments: Arguments) throws -> ImportedProject {
        try system(arguments).project(
            try SourceFiles.read(arguments.all(of: "FILE")), environment: arguments.option("--from"))
    }

    /// Returns the sides that win conflicts, by key; the side without a key has an empty one.
    private static func sides(_ arguments: Arguments) throws(UsageFailure) -> [String: ImportSide] {
        var sides: [String: ImportSide] = [:]
        for word in arguments.all(take.name) {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let last = parts.last, let side = ImportSide(rawValue: String(last)) else {
                throw UsageFailure("--take: '\(word)' is no side; expected theirs, mine, KEY=theirs or KEY=mine")
            }
            sides[parts.count == 2 ? String(parts[0]) : ""] = side
        }
        return sides
    }

    /// Returns the limits of the environment, as far as the token may read them.
    private static func limits(of remote: RemoteEnvironment) -> ImportLimits {
        var limits = ImportLimits()
        guard let known = (try? remote.serverStatus())?["limits"]?.objectValue,
            let valueBytes = known["value_bytes"]?.numberValue?.int64
        else { return limits }
        limits.valueBytes = Int(valueBytes)
        // Older servers have one limit for both.
        limits.settingsBytes = Int(known["flag_set_bytes"]?.numberValue?.int64 ?? valueBytes)
        return limits
    }

    /// Returns the message of the release: `Import 12 flags from Unleash (production)`.
    private static func title(_ project: ImportedProject, _ arguments: Arguments) throws(UsageFailure) -> String {
        func counted(_ count: Int, _ one: String, _ many: String) -> [String] {
            count == 0 ? [] : ["\(count) \(count == 1 ? one : many)"]
        }
        let parts =
            counted(project.flags.count, "flag", "flags") + counted(project.entries.count, "entry", "entries")
        let environment = project.environment.map { " (\(TextTable.line(String($0.prefix(100)))))" } ?? ""
        return "Import \(parts.joined(separator: " and ")) from \(try system(arguments).title)\(environment)"
    }

    /// Writes the translated flags to a file.
    private static func write(
        _ project: ImportedProject, to path: String, _ arguments: Arguments
    ) throws -> ExitStatus {
        var report = ImportReport(project)
        if arguments.has("--verify") { report.verify() }
        if report.hasDifferences { return try report.end(.failed, arguments) }
        let text = JSONValue.object(try JSONObject(project.document)).pretty
        do { try File.replace(path, contents: Array(text.utf8), permissions: 0o644) } catch {
            throw CommandFailure(description: "\(path): \(error)")
        }
        if !project.entries.isEmpty {
            Process.report("almanac: note: plain entries are not part of \(path): \(project.entries.count)")
        }
        return try report.end(.success, arguments)
    }
}
