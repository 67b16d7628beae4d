internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// `almanac config history` and `restore`
enum ConfigHistory {
    static let history = Command(
        name: "config history", summary: "Show the releases, or what became of one key; the newest first.",
        operands: [Operand(name: "KEY", isOptional: true)],
        options: [
            Option(name: "--limit", value: "N", help: "how many, at most 1000; without, 100"),
            Option(name: "--before", value: "REVISION", help: "those before this revision"), .json,
        ] + Option.server,
        example: """
            $ almanac config history --limit 2
            revision  version  time                      author       message      keys
            43        2.3.1    2026-01-02T09:00:00.000Z  release job  spring sale  app.theme, sale.percent
            42        2.3.0    2026-01-01T09:00:00.000Z  release job               sale.percent
            $ almanac config history app.theme
            """
    ) { arguments in
        let limit = try arguments.number("--limit", in: 1...1000)
        let before = try arguments.number("--before", in: 1...Int64.max)
        let remote = try arguments.remote()
        let items: [JSONObject]
        if let key = arguments.optional("KEY") {
            try Arguments.checkKey(key)
            items = try remote.history(of: key, limit: limit, before: before)
        } else {
            items = try remote.releases(limit: limit, before: before)
        }
        if arguments.wantsJSON {
            try Output.json(items)
        } else {
            let last = arguments.optional("KEY") == nil ? "keys" : "value"
            let header = ["revision", "version", "time", "author", "message", last]
            try Process.output(TextTable.text([header] + items.map(row)))
        }
        return .done
    }

    static let restore = Command(
        name: "config restore", summary: "Make the config what it was at a revision, as a new release.",
        operands: [Operand(name: "REVISION")], options: [.dryRun, .message, .json] + Option.server,
        details: "Nothing of the history is lost: the releases in between stay in it.",
        example: "$ almanac config restore 42 --message 'the sale is over'\n2 keys changed: revision 44, version 2.3.2"
    ) { arguments in
        let revision = arguments.operand("REVISION")
        try Arguments.checkRevision(revision)
        guard arguments.has(Option.dryRun.name) else {
            return try arguments.remote(writes: true).restore(revision, message: try arguments.message())
                .report(arguments)
        }
        let remote = try arguments.remote()
        let then = try remote.state(at: revision)
        let now = try remote.state()
        return try ConfigChange(ConfigDifference(from: now.values, to: then.values), tag: now.tag)
            .make(remote, arguments)
    }

    /// A release, or a value of a key, as a line.
    private static func row(_ item: JSONObject) -> [String] {
        func text(_ name: String) -> String { item[name]?.stringValue.map(oneLine) ?? "" }
        let what: String =
            if let keys = item["keys"]?.arrayValue {
                keys.compactMap(\.stringValue).joined(separator: ", ")
            } else if let value = item["value"] {
                value.description
            } else {
                item["purged"] == nil ? "(removed)" : "(purged)"
            }
        return [
            item["revision"]?.description ?? "", text("version"),
            text("released_at") + text("updated_at"), text("author"), text("message"), what,
        ]
    }

    /// Without what would move a terminal's cursor.
    private static func oneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? "\u{FFFD}" : $0 }))
    }
}
