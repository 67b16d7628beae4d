internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The commands `almanac flags list` and `get`.
enum FlagReading {
    static let list = Command(
        name: "flags list", summary: "List the flags, and when each was last evaluated.",
        operands: [Operand(name: "PREFIX", isOptional: true)], options: [.json] + Option.server,
        details: """
            Lists all flags, or those whose keys begin with PREFIX. Clients without a token see only public
            flags. If a flag was not evaluated for a long time, maybe no build uses it any more. --json shows
            more, such as the last evaluation of each variant. Requires a token with the scope config:read.
            """,
        example: """
            $ almanac flags list
            flag    type     state    variants  default  seen by  last evaluated
            new-ui  boolean  enabled  on, off   off      all      2026-01-02T09:00:00.000Z
            """
    ) { arguments in
        let prefix = arguments.optional("PREFIX") ?? ""
        let document = try arguments.remote().flags()
        let flags = (document["flags"]?.arrayValue?.compactMap(\.objectValue) ?? []).filter {
            $0["key"]?.stringValue?.utf8.starts(with: prefix.utf8) == true
        }
        if arguments.wantsJSON {
            try Output.json(.object(document.setting("flags", .array(flags.map { .object($0) }))))
            return .success
        }
        let style = OutputStyle.ofOutput
        let header = ["flag", "type", "state", "variants", "default", "seen by", "last evaluated"]
        try Process.output(TextTable.text(header, flags.map { row($0, style) }, style))
        for flag in flags {
            guard let fault = flag["fault"]?.objectValue else { continue }
            func text(_ name: String) -> String { TextTable.line(fault[name]?.stringValue ?? "") }
            Process.report(
                "almanac: \(flag["key"]?.stringValue ?? "") is broken at \(text("path")): \(text("message"))")
        }
        return .success
    }

    private static func row(_ flag: JSONObject, _ style: OutputStyle) -> [String] {
        func text(_ name: String) -> String { TextTable.line(flag[name]?.stringValue ?? "") }
        let variants = flag["variants"]?.arrayValue?.compactMap { $0.objectValue?["name"]?.stringValue } ?? []
        return [
            text("key"), text("type"), text("state").lowercased(), TextTable.line(ConfigHistory.shortened(variants)),
            text("default_variant"), flag["public"] == true ? "all" : "tokens",
            style.time(flag["last_evaluated_at"]?.stringValue ?? "never"),
        ]
    }

    static let get = Command(
        name: "flags get", summary: "Print a flag's definition.", operands: [.flag],
        options: [.version, .json] + Option.server,
        details: """
            Prints the definition in flagd's format, over several lines; 'almanac flags set' reads it. --json
            prints the whole entry, with its description and revision.
            """,
        example: """
            $ almanac flags get new-ui
            {
              "state": "ENABLED",
              "variants": {
                "on": true,
                "off": false
              },
              "defaultVariant": "off"
            }
            """
    ) { arguments in
        let key = arguments.operand("KEY")
        try Arguments.checkKey(key)
        let remote = try arguments.remote()
        let flag = try FlagCommands.with(key, remote) {
            try remote.flag(key, version: arguments.option(Option.version.name))
        }
        if arguments.wantsJSON {
            try Output.json(.object(flag.entry))
        } else {
            try Process.output(JSONValue.object(flag.definition).pretty)
        }
        return .success
    }
}
