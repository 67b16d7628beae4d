internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The commands `almanac config history`, `show` and `restore`.
enum ConfigHistory {
    static let history = Command(
        name: "config history", summary: "Show the releases, or the values of one key, newest first.",
        operands: [Operand(name: "KEY", isOptional: true, completion: .keys)],
        options: Option.history + [.json] + Option.server,
        details: Option.timeForms
            + "\nThe author is the name of a person or of a token's owner, else a token's label or a subject."
            + "\nThe table shows the first five keys of a release and the start of a long value; --json shows all.",
        example: """
            $ almanac config history --limit 2
            revision  version  time                      author  message      keys
            43        2.3.1    2026-01-02T09:00:00.000Z  Ada     spring sale  app.theme, sale.percent
            42        2.3.0    2026-01-01T09:00:00.000Z  Ada                  sale.percent
            $ almanac config history app.theme --author 'release job' --since 7d
            """
    ) { arguments in
        let filter = try arguments.historyFilter()
        let remote = try arguments.remote()
        let items: [JSONObject]
        if let key = arguments.optional("KEY") {
            try Arguments.checkKey(key)
            items = try remote.history(of: key, filter)
        } else {
            items = try remote.releases(filter)
        }
        if arguments.wantsJSON {
            try Output.json(items)
        } else {
            let style = OutputStyle.ofOutput
            let last = arguments.optional("KEY") == nil ? "keys" : "value"
            let header = ["revision", "version", "time", "author", "message", last]
            try Process.output(TextTable.text(header, items.map { row($0, style) }, style))
        }
        return .success
    }

    static let show = Command(
        name: "config show", summary: "Show one release, with each key's value before and after.",
        operands: [Operand(name: "REVISION")], options: [.json] + Option.server,
        details: "'almanac config diff' shows the differences between two revisions.",
        example: """
            $ almanac config show 43
            revision 43, version 2.3.1, 2026-01-02T09:00:00.000Z, Ada: spring sale
            ~ app.theme: "light" -> "dark"
            + sale.percent: 20
            """
    ) { arguments in
        let revision = arguments.operand("REVISION")
        try Arguments.checkRevision(revision)
        let release = try arguments.remote().release(revision)
        if arguments.wantsJSON {
            try Output.json(.object(release))
            return .success
        }
        func text(_ name: String) -> String { TextTable.line(release[name]?.stringValue ?? "") }
        let message = text("message")
        let kind = text("kind") == "change" ? "" : " (\(text("kind")))"
        let style = OutputStyle.ofOutput
        var lines =
            "revision \(release["revision"]?.description ?? ""), version \(text("version")), "
            + "\(style.time(text("released_at"))), \(TextTable.line(release.authorText))\(kind)"
            + (message.isEmpty ? "\n" : ": \(message)\n")
        for change in release["changes"]?.arrayValue?.compactMap(\.objectValue) ?? [] {
            lines += line(change, style)
        }
        try Process.output(lines)
        return .success
    }

    /// Returns the line of a key that a release changed.
    private static func line(_ change: JSONObject, _ style: OutputStyle) -> String {
        let key = change["key"]?.stringValue ?? ""
        return change["purged"] == nil
            ? ConfigDifference.Change(change).text(style) : style.paint("- \(key): (purged)", .removed) + "\n"
    }

    static let restore = Command(
        name: "config restore", summary: "Restore the config of a revision, as a new release.",
        operands: [Operand(name: "REVISION")], options: [.dryRun, .propose, .message, .json] + Option.server,
        details: "The history keeps the releases in between.",
        example: "$ almanac config restore 42 --message 'the sale is over'\n"
            + "2 keys changed (1 added): revision 44, version 2.3.2"
    ) { arguments in
        let revision = arguments.operand("REVISION")
        try Arguments.checkRevision(revision)
        guard arguments.has(Option.dryRun.name) else {
            return try arguments.remote(writes: true).restore(revision, message: try arguments.message())
                .report(arguments)
        }
        let remote = try arguments.remote()
        let then = try remote.wholeState(at: revision)
        let now = try remote.wholeState()
        return try ConfigChange.show(
            ConfigDifference(from: now, to: then), try remote.forecast(restoring: revision), arguments)
    }

    /// Returns the table row of a release, or of a value of a key.
    private static func row(_ item: JSONObject, _ style: OutputStyle) -> [String] {
        func text(_ name: String) -> String { item[name]?.stringValue.map(oneLine) ?? "" }
        let what: String =
            if let keys = item["keys"]?.arrayValue {
                shortened(keys.compactMap(\.stringValue))
            } else if let value = item["value"] {
                shortened((item["kind"]?.stringValue.map { "(\($0)) " } ?? "") + value.description)
            } else {
                item["purged"] == nil ? "(removed)" : "(purged)"
            }
        return [
            item["revision"]?.description ?? "", text("version"),
            style.time(text("released_at") + text("updated_at")), oneLine(item.authorText), text("message"), what,
        ]
    }

    /// Joins the first keys and the number of the others: a release may have thousands.
    static func shortened(_ keys: [String]) -> String {
        let maxShown = 5
        let rest = keys.count > maxShown ? ["and \(keys.count - maxShown) more"] : []
        return (keys.prefix(maxShown) + rest).joined(separator: ", ")
    }

    /// Returns the beginning of a value, which may have 256 KB.
    private static func shortened(_ value: String) -> String { value.count > 200 ? value.prefix(200) + "…" : value }

    /// Replaces control characters, which could move a terminal's cursor.
    private static func oneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? "\u{FFFD}" : $0 }))
    }
}
