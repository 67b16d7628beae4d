internal import AlmanacClient
internal import AlmanacImporting
internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacTargeting

/// The report of an import: a line for each flag, the renamed attributes, the conflicts, and the verification.
struct ImportReport {
    private let project: ImportedProject
    private let merge: ImportMerge?
    private var verification: Verification?

    init(_ merge: ImportMerge) { (project, self.merge) = (merge.project, merge) }

    /// Creates the report of an import that goes to a file.
    init(_ project: ImportedProject) { (self.project, merge) = (project, nil) }

    var hasDifferences: Bool { verification?.hasDifferences == true }

    /// Compares the answers of the other system with those of the translated flags, or of other ones.
    mutating func verify(answeredBy flags: FlagSet? = nil) {
        verification = Verification(of: project, answeredBy: flags, now: WallClock.milliseconds / 1000)
    }

    /// Prints the report, as JSON with the changes if the command line says so.
    func end(
        _ status: ExitStatus, _ arguments: Arguments, _ difference: ConfigDifference? = nil,
        _ forecast: ConfigForecast? = nil, release: WriteOutcome? = nil
    ) throws -> ExitStatus {
        guard arguments.wantsJSON else {
            try show()
            return status
        }
        var members = try json
        if let difference { members.append(("changes", difference.json)) }
        if let forecast { members.append(("forecast", .object(forecast.document))) }
        if let release { members.append(("release", .object(release.document))) }
        try Output.json(.object(JSONObject(members)))
        return status
    }

    // MARK: Text

    func show() throws {
        let style = OutputStyle.ofOutput
        var text = ""
        if !project.report.isEmpty {
            text += TextTable.text(
                ["flag", "key", "verdict", "differs when, or cannot because", "at"], project.report.map(Self.row), style
            )
        }
        let renamed = project.attributes.renamed
        if !renamed.isEmpty {
            text +=
                "\n"
                + TextTable.text(
                    ["attribute there", "send as"],
                    renamed.map { [TextTable.line($0.source), TextTable.line($0.attribute)] },
                    style)
        }
        text += "\n" + counts + "\n"
        if let merge { text += Self.left(merge) }
        if let verification { text += Self.text(verification) }
        try Process.output(text)
    }

    private static func row(_ line: ReportLine) -> [String] {
        [
            TextTable.line(line.source), line.key ?? "", line.verdict.name,
            TextTable.line(line.verdict.reasons.joined(separator: "; ")), TextTable.line(line.pointer),
        ]
    }

    private var counts: String {
        func count(_ name: String) -> Int { project.report.count { $0.verdict.name == name } }
        return "exact: \(count("exact")), differs: \(count("differs")), cannot be kept: \(count("cannot"))"
    }

    private static func left(_ merge: ImportMerge) -> String {
        var text = ""
        for (what, leftovers) in [
            ("no longer in the files; stays", merge.gone), ("can no longer be kept; stays as it was", merge.stale),
            ("removed here; stays removed", merge.removed),
        ] {
            for leftover in leftovers { text += "\(leftover.key): \(what)\n" }
        }
        guard !merge.conflicts.isEmpty else { return text }
        for conflict in merge.conflicts {
            let place = conflict.part.isEmpty ? conflict.key : "\(conflict.key) /\(conflict.part)"
            text += "conflict: \(TextTable.line(place))\n"
            text += "  mine    \(conflict.mine?.json ?? "(nothing)")\n"
            text += "  theirs  \(conflict.theirs?.json ?? "(nothing)")\n"
        }
        return text + "nothing was written: decide with --take theirs, --take mine or --take KEY=theirs\n"
    }

    private static func text(_ verification: Verification) -> String {
        let total = verification.counts.values.reduce(0, +)
        var text = "compared \(verification.compared) answers, \(total) differences\n"
        for (source, count) in verification.counts.sorted(by: { $0.key < $1.key }) {
            text += "\(TextTable.line(source)): \(count) differences\n"
            for example in verification.examples where example.source == source {
                text += "  \(FlagValue.object(example.context).json): "
                text += "there \(example.expected.text), here \(example.found.text)\n"
            }
        }
        return text
    }

    // MARK: JSON

    private var json: [(name: String, value: JSONValue)] {
        get throws {
            var members: [(name: String, value: JSONValue)] = [
                (
                    "report",
                    .array(
                        project.report.map { line in
                            [
                                "source": .string(line.source), "key": line.key.map { .string($0) } ?? .null,
                                "verdict": .string(line.verdict.name),
                                "when": .array(line.verdict.reasons.map { .string($0) }),
                                "pointer": .string(line.pointer),
                            ]
                        })
                ),
                (
                    "renamed",
                    .array(
                        project.attributes.renamed.map {
                            ["source": .string($0.source), "attribute": .string($0.attribute)]
                        })
                ),
            ]
            if let merge {
                members += [
                    ("conflicts", .array(try merge.conflicts.map { try Self.json($0) })),
                    ("gone", Self.json(merge.gone)), ("stale", Self.json(merge.stale)),
                    ("removed", Self.json(merge.removed)),
                ]
            }
            if let verification { members.append(("verification", try Self.json(verification))) }
            return members
        }
    }

    private static func json(_ conflict: ImportMerge.Conflict) throws -> JSONValue {
        [
            "key": .string(conflict.key), "source": .string(conflict.source), "part": .string(conflict.part),
            "mine": try conflict.mine.map { try JSONValue($0) } ?? .null,
            "theirs": try conflict.theirs.map { try JSONValue($0) } ?? .null,
        ]
    }

    private static func json(_ leftovers: [ImportMerge.Leftover]) -> JSONValue {
        .array(leftovers.map { ["key": .string($0.key), "source": .string($0.source)] })
    }

    private static func json(_ verification: Verification) throws -> JSONValue {
        let differences = try verification.counts.sorted { $0.key < $1.key }.map { source, count -> JSONValue in
            let examples = try verification.examples.filter { $0.source == source }.map { example -> JSONValue in
                [
                    "context": .object(try JSONObject(example.context)), "there": .string(example.expected.text),
                    "here": .string(example.found.text),
                ]
            }
            return ["source": .string(source), "count": .number(JSONNumber(count)), "examples": .array(examples)]
        }
        return ["compared": .number(JSONNumber(verification.compared)), "differences": .array(differences)]
    }
}

extension ReportLine.Verdict {
    /// The cases in which a flag differs, or the reason for which it cannot be kept.
    fileprivate var reasons: [String] {
        switch self {
        case .exact: []
        case .differs(let cases): cases
        case .cannot(let reason): [reason]
        }
    }
}

extension SourceAnswer {
    /// The value as JSON, or words.
    fileprivate var text: String {
        switch self {
        case .value(let value): value.json
        case .none: "the caller's default"
        case .random: "a random value"
        }
    }
}
