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
                id  time                      action         author       of  details
                12  2026-01-02T09:00:00.000Z  config.change  release job      {"revision":43,"version":"2.3.1"}
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
        let kind = text("author_kind")
        return [
            item["id"]?.description ?? "", style.time(text("recorded_at")), text("action"),
            text("author") + (kind == "host" ? " (on the host)" : ""), text("subject"),
            TextTable.line(item["details"]?.description ?? ""),
        ]
    }
}
