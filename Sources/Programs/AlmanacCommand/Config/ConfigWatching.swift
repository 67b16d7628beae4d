internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The command `almanac config watch`.
enum ConfigWatching {
    static let command = Command(
        name: "config watch", summary: "Print changes as they happen, until Ctrl-C.",
        options: [
            Option(
                name: "--since", value: "CURSOR",
                help: "begin with the changes since this revision, or since this cursor, such as 43.k3f9"), .json,
        ] + Option.server,
        details: """
            Follows the environment's event stream. If the connection is lost, Almanac reconnects with growing
            delays and fetches the missed changes.
            With --json, each line is a document: {"type": "change", "revision", "version", "entries"}. If
            "type" is "whole", the entries are the whole config, because the database was restored from a
            backup, or the history does not reach back to the cursor.
            """,
        example: """
            $ almanac config watch
            revision 44, version 2.3.2
              app.theme: "dark"
              sale.percent removed
            """
    ) { arguments in
        let since = arguments.option("--since")
        if let since { try Arguments.checkRevision(since) }
        let isJSON = arguments.wantsJSON
        let watch = ConfigWatch(try arguments.remote(), since: since) { try print($0, isJSON: isJSON) }
        return try blockUntilDone { try await watch.run() }
    }

    private static func print(_ update: ConfigWatch.Update, isJSON: Bool) throws {
        switch update {
        case .connected(let cursor): Process.report("almanac: connected, at \(cursor)")
        case .interrupted(let reason, let wait):
            let seconds = max(1, wait.components.seconds)
            Process.report("almanac: \(reason); retrying in \(seconds) s")
        case .changed(let revision, let version, let entries):
            try print("change", revision, version, entries, isJSON: isJSON)
        case .replaced(let revision, let version, let entries):
            try print("whole", revision, version, entries, isJSON: isJSON)
        }
    }

    private static func print(
        _ type: String, _ revision: Int64, _ version: String, _ entries: [JSONObject], isJSON: Bool
    ) throws {
        if isJSON {
            try Output.json([
                "type": .string(type), "revision": .number(JSONNumber(revision)), "version": .string(version),
                "entries": .array(entries.map { .object($0) }),
            ])
            return
        }
        var text = "revision \(revision), version \(version)" + (type == "whole" ? ", the whole config" : "") + "\n"
        for entry in entries {
            let key = entry["key"]?.stringValue ?? ""
            let kind = entry["kind"]?.stringValue.map { " (\($0))" } ?? ""
            text += entry["value"].map { "  \(key)\(kind): \($0)\n" } ?? "  \(key) removed\n"
        }
        try Process.output(text)
    }
}
