internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The command `almanac audit`.
enum AuditCommand {
    static let all = [
        Command(
            name: "audit", summary: "Show who did what, newest first: releases, tokens, purges and restores.",
            options: [
                Option(
                    name: "--action", value: "ACTION",
                    help: "show only this action, such as token.create or config.purge")
            ] + Option.history + [.json] + Option.server,
            details: "Requires a token with the scope admin. " + Option.timeForms,
            example: """
                $ almanac audit --since 7d --author 'release job'
                id  time                      action         author             of  details
                12  2026-01-02T09:00:00.000Z  config.change  Ada (release job)      {"revision":43,"version":"2.3.1"}
                """
        ) { arguments in
            let filter = try arguments.historyFilter([("action", arguments.option("--action"))])
            let items = try arguments.remote(writes: true).audit(filter)
            if arguments.wantsJSON {
                try Output.json(items)
            } else {
                let header = ["id", "time", "action", "author", "of", "details"]
                let style = OutputStyle.ofOutput
                try Process.output(TextTable.text(header, items.map { row($0, style) }, style))
            }
            return .success
        }
    ]

    private static func row(_ item: JSONObject, _ style: OutputStyle) -> [String] {
        func text(_ name: String) -> String { TextTable.line(item[name]?.stringValue ?? "") }
        return [
            item["id"]?.description ?? "", style.time(text("recorded_at")), text("action"),
            author(item), [text("subject_name"), text("subject")].filter { !$0.isEmpty }.joined(separator: " "),
            TextTable.line(item["details"]?.description ?? ""),
        ]
    }

    /// Returns the author's name; for a token, with the label, and for a command on the host, with a note.
    private static func author(_ item: JSONObject) -> String {
        let name = TextTable.line(item.authorText)
        switch item["author_kind"]?.stringValue {
        case "host": return name + " (on the host)"
        case "token" where item["author_name"]?.stringValue != nil:
            return name + " (\(TextTable.line(item["author"]?.stringValue ?? "")))"
        default: return name
        }
    }
}
