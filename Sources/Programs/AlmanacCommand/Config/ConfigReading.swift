internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The commands `almanac config get`, `list`, `search` and `export`.
enum ConfigReading {
    static let get = Command(
        name: "config get", summary: "Print one value.", operands: [Operand(name: "KEY", completion: .keys)],
        options: [.version, .json] + Option.server,
        details: """
            A text is printed as it is, any other value as JSON. --json prints the whole entry: key, value,
            description, updated_at and revision.
            """,
        example: "$ almanac config get app.theme\ndark"
    ) { arguments in
        let key = arguments.operand("KEY")
        try Arguments.checkKey(key)
        let entry = try arguments.remote().entry(key, version: arguments.option("--version")).entry
        if arguments.wantsJSON {
            try Output.json(.object(entry))
        } else {
            try Process.output((entry["value"] ?? .null).plain + "\n")
        }
        return .success
    }

    static let list = Command(
        name: "config list", summary: "List the entries.",
        operands: [Operand(name: "PREFIX", isOptional: true)], options: [.at, .version, .json] + Option.server,
        details: """
            Lists all entries, or those whose keys begin with PREFIX. Values are shown as JSON, so texts have
            quotes. If there are flags, and the token may see them, a column shows each entry's kind; 'almanac
            flags list' shows more about flags.
            """,
        example: """
            $ almanac config list app.
            app.theme    "dark"
            app.timeout  30
            """
    ) { arguments in
        let prefix = arguments.optional("PREFIX") ?? ""
        let entries = try arguments.remote().entries(at: try arguments.at(), version: arguments.option("--version"))
            .filter { $0["key"]?.stringValue?.utf8.starts(with: prefix.utf8) == true }
        try print(entries, arguments)
        return .success
    }

    static let search = Command(
        name: "config search", summary: "List the entries whose value, key or description contains a text.",
        operands: [Operand(name: "TEXT")],
        options: [
            Option(
                name: "--in", value: "PLACE", help: "search only keys, or only values",
                completion: .words(["keys", "values"])), .at, .version, .json,
        ] + Option.server,
        details: """
            The case of letters does not matter. A value is searched at every depth, and also as compact JSON,
            so '"retries":3' is found. The server searches. With --at, this program searches that revision,
            without descriptions. If nothing is found, the exit status is 3.
            """,
        example: """
            $ almanac config search example.com
            app.fun_button.url  "https://www.example.com/cats"
            $ almanac config search --in values dark
            app.theme  "dark"
            """
    ) { arguments in
        let entries = try found(arguments)
        try print(entries, arguments)
        return entries.isEmpty ? .notFound : .success
    }

    private static func found(_ arguments: Arguments) throws -> [JSONObject] {
        let (text, places) = (arguments.operand("TEXT"), try searchPlaces(arguments))
        let (at, version) = (try arguments.at(), arguments.option("--version"))
        let remote = try arguments.remote()
        let found = at == nil ? try remote.entries(with: text, version: version) : nil
        if let found, arguments.option("--in") == nil { return found }
        let search = ConfigSearch(text, in: places)
        return try (found ?? remote.entries(at: at, version: version)).filter {
            search.finds($0["key"]?.stringValue ?? "", $0["value"] ?? .null)
        }
    }

    private static func searchPlaces(_ arguments: Arguments) throws(UsageFailure) -> Set<ConfigSearch.Place> {
        switch arguments.option("--in") {
        case nil: Set(ConfigSearch.Place.allCases)
        case "keys": [.keys]
        case "values": [.values]
        case let place?: throw UsageFailure("'\(place)' is not a valid place to search; expected keys or values")
        }
    }

    private static func print(_ entries: [JSONObject], _ arguments: Arguments) throws {
        if arguments.wantsJSON { return try Output.json(entries) }
        // The column of kinds is omitted if every entry is a plain value.
        let hasKinds = entries.contains { $0["kind"] != nil }
        let rows = entries.map { entry in
            [entry["key"]?.stringValue ?? ""] + (hasKinds ? [entry["kind"]?.stringValue ?? "value"] : [])
                + [(entry["value"] ?? .null).description]
        }
        try Process.output(TextTable.text(rows))
    }

    static let export = Command(
        name: "config export", summary: "Print the config as one JSON object.",
        options: [
            Option(name: "--nested", help: "split keys at their dots; to import such an object, use --nested"),
            Option(
                name: "--output", short: "-o", value: "FILE",
                help: "write to this file, and replace an older one atomically; links are followed",
                completion: .file), .at, .version, .json,
        ] + Option.server,
        details: """
            Prints an object with a member for each key, over several lines, or on one line with --json.
            'almanac config import' reads it. Flags are not included, and a line on standard error says so; use
            'almanac flags export' for flags. Descriptions and history are not included; make a backup for
            those.
            """,
        example: "$ almanac config export > config.json"
    ) { arguments in
        let remote = try arguments.remote()
        let (at, version) = (try arguments.at(), arguments.option("--version"))
        let state = try remote.wholeState(at: at, version: version)
        let values =
            arguments.has("--nested") ? try remote.nestedState(at: at, version: version) : state.plainValues
        if !state.kinds.isEmpty {
            Process.report("almanac: note: flags are not included; use 'almanac flags export'")
        }
        let document = JSONValue.object(values)
        let text = arguments.wantsJSON ? "\(document)\n" : document.pretty
        guard let path = arguments.option("--output") else {
            try Process.output(text)
            return .success
        }
        do { try File.replace(path, contents: Array(text.utf8), permissions: 0o644) } catch {
            throw CommandFailure(description: "\(path): \(error)")
        }
        return .success
    }
}
