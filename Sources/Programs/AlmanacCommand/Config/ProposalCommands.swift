internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The commands about proposals: `almanac proposals`, `propose`, `review`, `apply` and `calendar`.
enum ProposalCommands {
    static let all = [list, propose, review, apply, calendar]

    private static let number = Operand(name: "N")
    private static let effect = Option(
        name: "--effect", value: "EFFECT",
        help: "the effect that you saw in 'almanac proposals N'; another one is refused; default: the present effect")

    private static let list = Command(
        name: "proposals", summary: "Show the proposals, or one with its edits and reviews.",
        operands: [Operand(name: "N", isOptional: true)],
        options: [
            Option(
                name: "--state", value: "STATE", help: "show only proposals in this state",
                completion: .words(states)),
            Option(name: "--key", value: "KEY", help: "show only proposals that change this key", completion: .keys),
            Option(name: "--author", value: "NAME", help: "show only proposals by this author"),
            Option(name: "--limit", value: "N", help: "the maximum number of proposals, at most 100; default: 50"),
            .json,
        ] + Option.server,
        details: "Each command that changes the config makes a proposal with --propose.",
        example: """
            $ almanac config set banner 'Winter sale' --propose --message 'Begin winter'
            proposal 12 is a draft; nothing was released
            $ almanac proposals
            number  state  progress  title         keys    author
            12      draft            Begin winter  banner  Ada
            """
    ) { arguments in
        let remote = try arguments.remote(writes: true)
        if let number = arguments.optional("N") { return try show(try remote.proposal(number), arguments) }
        let state = arguments.option("--state")
        if let state, !states.contains(state) {
            throw UsageFailure("--state: expected \(states.joined(separator: ", ")), not '\(state)'")
        }
        let items = try remote.proposals(
            HistoryFilter([
                ("state", state), ("key", arguments.option("--key")), ("author", arguments.option("--author")),
                ("limit", try arguments.number("--limit", in: 1...100)),
            ]))
        if arguments.wantsJSON {
            try Output.json(items)
        } else {
            let header = ["number", "state", "progress", "title", "keys", "author"]
            try Process.output(TextTable.text(header, items.map(row), .ofOutput))
        }
        return .success
    }

    private static let states = ["draft", "open", "applied", "closed"]

    private static let propose = Command(
        name: "propose", summary: "Ask for the review of a draft, take it back, or withdraw it.", operands: [number],
        options: [
            Option(name: "--recall", help: "make an open proposal a draft again"),
            Option(name: "--withdraw", help: "close the proposal"), .json,
        ] + Option.server,
        example: "$ almanac propose 12\nproposal 12 is open: 1 more approval for banner"
    ) { arguments in
        let step = arguments.has("--withdraw") ? "withdraw" : arguments.has("--recall") ? "recall" : "submit"
        if arguments.has("--withdraw"), arguments.has("--recall") {
            throw UsageFailure("expected either --recall or --withdraw")
        }
        return try report(try arguments.remote(writes: true).take(step, with: arguments.operand("N")), arguments)
    }

    private static let review = Command(
        name: "review", summary: "Approve or reject a proposal, or comment it.", operands: [number],
        options: [
            Option(name: "--approve", help: "approve the release"),
            Option(name: "--reject", help: "ask for another change; blocks the release"),
            Option(name: "--comment", help: "only add the message"), effect, .message, .json,
        ] + Option.server,
        details: "Who contributed an edit can neither approve nor reject.",
        example: "$ almanac review 12 --approve --message 'Seen on staging'\nproposal 12 is open: approved"
    ) { arguments in
        let verdicts = ["approve", "reject", "comment"].filter { arguments.has("--" + $0) }
        guard verdicts.count == 1 else { throw UsageFailure("expected --approve, --reject or --comment") }
        let proposal = try arguments.remote(writes: true).review(
            arguments.operand("N"), verdicts[0], message: try arguments.message(),
            effect: arguments.option(effect.name))
        return try report(proposal, arguments)
    }

    private static let apply = Command(
        name: "apply", summary: "Make the release of a proposal.", operands: [number],
        options: [effect, .json] + Option.server,
        example: "$ almanac apply 12\nbanner changed: revision 44, version 2.3.2"
    ) { arguments in
        let outcome = try arguments.remote(writes: true).apply(
            proposal: arguments.operand("N"), effect: arguments.option(effect.name))
        guard outcome.document["number"] == nil else {
            if arguments.wantsJSON {
                try Output.json(.object(outcome.document))
            } else {
                try Process.output("nothing to release: others had released all of the edits\n")
            }
            return .success
        }
        return try outcome.report(arguments)
    }

    private static let calendar = Command(
        name: "calendar", summary: "Show what will change by itself: proposals with a time, ramps, times in rules.",
        options: [.json] + Option.server,
        details: "A ramp is shown from its start until its end. A time in a rule may change what callers get.",
        example: """
            $ almanac calendar
            time                      until                     what         change
            2026-12-01T09:00:00.000Z  2026-12-08T09:00:00.000Z  new-ui       on from 10 % to 100 %
            2026-12-24T08:00:00.000Z                            proposal 12  Winter sale (approved)
            """
    ) { arguments in
        let calendar = try arguments.remote().calendar()
        if arguments.wantsJSON {
            try Output.json(.object(calendar))
            return .success
        }
        let style = OutputStyle.ofOutput
        let rows = (calendar["items"]?.arrayValue ?? []).compactMap(\.objectValue).map { item in
            [style.time(text(item, "at")), item["until"] == nil ? "" : style.time(text(item, "until"))] + event(item)
        }
        try Process.output(TextTable.text(["time", "until", "what", "change"], rows, style))
        if calendar["truncated"] == true { Process.report("almanac: note: the server left out later items") }
        return .success
    }

    /// Returns what changes, and how.
    private static func event(_ item: JSONObject) -> [String] {
        func number(_ name: String) -> String { item[name]?.description ?? "" }
        switch item["kind"]?.stringValue {
        case "proposal": return ["proposal \(number("number"))", "\(text(item, "title")) (\(text(item, "state")))"]
        case "ramp":
            let variant = item["variant"]?.stringValue.map { TextTable.line($0) } ?? "default"
            return [text(item, "key"), "\(variant) from \(number("from")) % to \(number("to")) %"]
        default: return [text(item, "key"), "a time in its rule"]
        }
    }

    private static func row(_ proposal: JSONObject) -> [String] {
        let keys = proposal["keys"]?.arrayValue?.compactMap(\.stringValue) ?? []
        return [
            proposal["number"]?.description ?? "", text(proposal, "state"), progress(of: proposal),
            text(proposal, "title"), keys.prefix(5).joined(separator: ", ") + (keys.count > 5 ? ", …" : ""),
            TextTable.line(proposal["author"]?.objectValue?["name"]?.stringValue ?? ""),
        ]
    }

    /// Returns what a proposal waits for, in a few words.
    private static func progress(of proposal: JSONObject) -> String {
        func isSet(_ name: String) -> Bool { proposal[name] == true }
        var words: [String] = []
        if isSet("conflicted") { words.append("conflict") }
        if isSet("changes_requested") { words.append("changes requested") }
        if isSet("failed") { words.append("not released at its time") }
        if isSet("approved"), !isSet("changes_requested") { words.append("approved") }
        if let time = proposal["apply_at"]?.stringValue { words.append("at " + time) }
        for unmet in proposal["unmet"]?.arrayValue?.compactMap(\.objectValue) ?? [] {
            let count = (unmet["required"]?.numberValue?.int64 ?? 0) - (unmet["has"]?.numberValue?.int64 ?? 0)
            let keys = unmet["keys"]?.arrayValue?.compactMap(\.stringValue) ?? []
            words.append("\(count) more approval\(count == 1 ? "" : "s") for \(keys.joined(separator: ", "))")
        }
        return words.joined(separator: ", ")
    }

    private static func report(_ proposal: JSONObject, _ arguments: Arguments) throws -> ExitStatus {
        if arguments.wantsJSON {
            try Output.json(.object(proposal))
        } else {
            let progress = progress(of: proposal)
            let number = proposal["number"]?.description ?? ""
            try Process.output(
                "proposal \(number) is \(text(proposal, "state"))" + (progress.isEmpty ? "" : ": " + progress) + "\n")
        }
        return .success
    }

    private static func show(_ proposal: JSONObject, _ arguments: Arguments) throws -> ExitStatus {
        guard !arguments.wantsJSON else { return try report(proposal, arguments) }
        var lines = [row(proposal).filter { !$0.isEmpty }.joined(separator: "  ")]
        for edit in proposal["edits"]?.arrayValue?.compactMap(\.objectValue) ?? [] {
            let place = [text(edit, "key"), text(edit, "path")].filter { !$0.isEmpty }.joined(separator: " ")
            lines.append("~ \(place): \(value(edit, "before")) -> \(value(edit, "after"))")
        }
        for review in proposal["reviews"]?.arrayValue?.compactMap(\.objectValue) ?? [] {
            let name = TextTable.line(review["reviewer"]?.objectValue?["name"]?.stringValue ?? "")
            let counts = review["counts"] == true || text(review, "verdict") == "comment" ? "" : " (counts no more)"
            lines.append("\(text(review, "verdict")) by \(name)\(counts): \(text(review, "message"))")
        }
        if let effect = proposal["effect"]?.stringValue { lines.append("effect \(effect)") }
        try Process.output(lines.joined(separator: "\n") + "\n")
        return .success
    }

    private static func text(_ object: JSONObject, _ name: String) -> String {
        TextTable.line(object[name]?.stringValue ?? "")
    }

    private static func value(_ edit: JSONObject, _ name: String) -> String {
        guard let value = edit[name], value != .null else { return "nothing" }
        return TextTable.line(value.description)
    }
}
