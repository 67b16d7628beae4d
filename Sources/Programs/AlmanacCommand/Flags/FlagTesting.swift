internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The commands `almanac flags explain` and `sample`.
enum FlagTesting {
    static let explain = Command(
        name: "flags explain",
        summary: "Show a flag's value for a context, and the branch of the rule that selected it.", operands: [.flag],
        options: [
            .context, Option(name: "--id", value: "ID", help: "the targeting key; overrides that of the context"),
            .draft, .time, .json,
        ] + Option.server,
        details: """
            Each line below the result is one step of the evaluation, with its place in the definition. Requires
            a token with the scope config:read.
            """,
        example: """
            $ almanac flags explain new-ui --context '{"plan": "pro"}' --id u1
            variant  on
            value    true
            reason   TARGETING_MATCH
            because  condition 1 of the if holds (plan ("pro") == "pro": true); so the variant is "on"
            $ almanac flags explain new-ui --id u1 --definition draft.json --time 2026-12-01T09:00:00Z
            """
    ) { arguments in
        let key = arguments.operand("KEY")
        try Arguments.checkKey(key)
        let question = try question(arguments)
        let remote = try arguments.remote(writes: true)
        let explanation = try FlagCommands.with(key, remote) {
            try remote.explanation(of: key, question)
        }
        if arguments.wantsJSON {
            try Output.json(.object(explanation))
        } else {
            try Process.output(text(explanation))
        }
        return .success
    }

    private static func text(_ explanation: JSONObject) -> String {
        func row(_ title: String, _ name: String) -> [[String]] {
            guard let value = explanation[name], value != .null else { return [] }
            return [[title, TextTable.line(value.plain)]]
        }
        let rows =
            row("variant", "variant") + [["value", explanation["value"]?.description ?? "the client's own default"]]
            + row("reason", "reason") + row("error", "error_code") + row("details", "error_details")
            + row("because", "branch")
        func lines(_ name: String, _ words: String) -> [[String]] {
            (explanation[name]?.arrayValue?.compactMap(\.objectValue) ?? []).map { line in
                func text(_ name: String) -> String { TextTable.line(line[name]?.stringValue ?? "") }
                return ["  " + text("path"), text(words)]
            }
        }
        let faults = lines("faults", "message")
        return TextTable.text(rows) + TextTable.text(lines("steps", "words"))
            + (faults.isEmpty ? "" : "faults of the definition\n" + TextTable.text(faults))
    }

    static let sample = Command(
        name: "flags sample", summary: "Show how many of a sample of callers get each variant, now or with a draft.",
        operands: [.flag],
        options: [
            .context, .draft, .time,
            Option(
                name: "--fractional", value: "VERSION", help: "use this version of splits: 2 or 3",
                completion: .words(["2", "3"])),
            Option(name: "--count", value: "N", help: "the number of callers, at most 100000; default: 10000"), .json,
        ] + Option.server,
        details: """
            The callers have the targeting keys "1", "2" and so on, and otherwise the same context. With
            --definition or --fractional, the command also shows how many callers would get something else than
            now. Requires a token with the scope config:read.
            """,
        example: """
            $ almanac flags sample new-ui --definition draft.json
            on    1987  19.87 %
            off   8013  80.13 %
            of 10000 sampled callers 987 would get something else: off -> on 987
            """
    ) { arguments in
        let key = arguments.operand("KEY")
        try Arguments.checkKey(key)
        let fractional = try fractional(arguments)
        let count = try arguments.number("--count", in: 1...100_000)
        let question =
            try question(arguments) + [
                ("fractional", fractional.flatMap { Int64($0) }.map { .number(JSONNumber($0)) }),
                ("count", count.flatMap { Int64($0) }.map { .number(JSONNumber($0)) }),
            ]
        let remote = try arguments.remote(writes: true)
        let sampling = try FlagCommands.with(key, remote) { try remote.sample(of: key, question) }
        if arguments.wantsJSON {
            try Output.json(.object(sampling.document))
            return .success
        }
        let rows = sampling.variants.map { variant in
            let share = sampling.count == 0 ? 0 : variant.count * 10_000 / sampling.count
            let cents = String(100 + share % 100).dropFirst()
            return [TextTable.line(named(variant.name)), "\(variant.count)", "\(share / 100).\(cents) %"]
        }
        let isCompared = arguments.option(Option.draft.name) != nil || fractional != nil
        try Process.output(TextTable.text(rows) + (isCompared ? moves(sampling) + "\n" : ""))
        return .success
    }

    /// Returns a line with the number of sampled callers that get another variant than now.
    static func moves(_ sampling: FlagSampling) -> String {
        let what = "of \(sampling.count) sampled callers \(sampling.moved) would get something else"
        let moves = sampling.moves.map { "\(named($0.from)) -> \(named($0.to)) \($0.count)" }
        return moves.isEmpty ? what : what + ": " + TextTable.line(moves.joined(separator: ", "))
    }

    /// Names a variant. Callers without a variant have an empty name.
    private static func named(_ variant: String) -> String { variant.isEmpty ? "(no variant)" : variant }

    /// Returns the version of splits given by `--fractional`.
    static func fractional(_ arguments: Arguments) throws(UsageFailure) -> String? {
        guard let version = arguments.option("--fractional") else { return nil }
        guard ["2", "3"].contains(version) else {
            throw UsageFailure("'\(version)' is not a valid version of splits; expected 2 or 3")
        }
        return version
    }

    /// Returns the members that both calls accept.
    private static func question(_ arguments: Arguments) throws -> FlagQuestion {
        let draft = try arguments.option(Option.draft.name).map { try FlagCommands.object($0, Option.draft.name) }
        return [
            ("context", .object(try context(arguments))), ("definition", draft.map { .object($0) }),
            ("time", arguments.option(Option.time.name).map { .string($0) }),
        ]
    }

    private static func context(_ arguments: Arguments) throws -> JSONObject {
        var context = JSONObject()
        if let text = arguments.option(Option.context.name) {
            context = try FlagCommands.object(text, Option.context.name)
        }
        guard arguments.command.option("--id") != nil, let id = arguments.option("--id") else { return context }
        return context.setting("targetingKey", .string(id))
    }
}
