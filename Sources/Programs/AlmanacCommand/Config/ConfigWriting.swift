internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The commands `almanac config set` and `unset`.
enum ConfigWriting {
    static let set = Command(
        name: "config set", summary: "Set the value of a new or existing key.",
        operands: [Operand(name: "KEY", completion: .keys), Operand(name: "VALUE", isOptional: true)],
        options: [
            Option(name: "--file", value: "FILE", help: "read the value from this file", completion: .file),
            Option(name: "--string", help: "store the value as a text, even if it looks like JSON"),
            Option(name: "--description", value: "TEXT", help: "a description of the entry"),
            Option(
                name: "--kind", value: "KIND",
                help: "value or flag; default: the key's present kind, or value for a new key",
                completion: .words(["value", "flag"])), TypeCheck.retype, .dryRun, .propose, .message, .json,
        ] + Option.server,
        details: ValueText.rule + "\n"
            + "With - as VALUE, the value is read from standard input. A final line break of standard input or of a\n"
            + "file is removed. A value of another type than the key's is refused without --retype.\n"
            + "Builds that pin an older major keep their value of the key while the new one is of another type; a\n"
            + "line on standard error says so.",
        example: """
            $ almanac config set app.theme dark --message 'darker evenings'
            $ almanac config set app.limits '{"retries": 3}'
            $ almanac config set app.code --string 0042
            $ almanac config set app.theme light --dry-run
            ~ app.theme: "dark" -> "light"
            version 2.3.2, now 2.3.1: the value of app.theme changes
            """
    ) { arguments in
        let key = arguments.operand("KEY")
        try Arguments.checkKey(key)
        let value = try value(arguments)
        if arguments.has(Option.dryRun.name) { return try forecast(key, value, arguments) }
        let remote = try arguments.remote(writes: true)
        try TypeCheck.run(
            key, value, kind: try kind(arguments), isParsed: !arguments.has("--string"), remote, arguments)
        let outcome = try remote.set(
            key, to: value, description: arguments.option("--description"), kind: try kind(arguments),
            message: try arguments.message())
        defer { KeptValues.warn(of: [key], remote) }
        return try outcome.report(arguments)
    }

    /// Shows the effect of a write without making it.
    private static func forecast(_ key: String, _ value: JSONValue, _ arguments: Arguments) throws -> ExitStatus {
        _ = try arguments.message()
        let remote = try arguments.remote()
        let (state, kind) = (try remote.wholeState(), try kind(arguments))
        try TypeCheck.run(key, value, kind: kind, isParsed: !arguments.has("--string"), remote, arguments)
        let difference = ConfigDifference(from: state, setting: key, to: value, kind: kind)
        var description: ConfigDifference?
        if let text = arguments.option("--description") {
            let before = state.values[key] == nil ? nil : try remote.entry(key, version: nil).entry["description"]
            description = ConfigDifference(
                from: JSONObject([("description of \(key)", before ?? "")]),
                to: JSONObject([("description of \(key)", .string(text))]))
        }
        let forecast = try remote.forecast(
            setting: key, to: value, description: arguments.option("--description"), kind: kind)
        return try ConfigChange.show(difference, describing: description, forecast, arguments)
    }

    static let unset = Command(
        name: "config unset", summary: "Remove keys, all in one release.",
        operands: [Operand(name: "KEY", isRepeated: true, completion: .keys)],
        options: [.dryRun, ConfigChange.retry, .propose, .message, .json] + Option.server,
        details: """
            Builds that pin an older major keep the last value. If one of the keys does not exist, no key
            is removed and the exit status is 3.
            """,
        example: "$ almanac config unset app.theme app.timeout\n2 keys removed: revision 44, version 3.0.0"
    ) { arguments in
        let keys = arguments.all(of: "KEY")
        for key in keys { try Arguments.checkKey(key) }
        let remote = try arguments.remote(writes: true)
        let state = try remote.wholeState()
        let missing = keys.filter { state.values[$0] == nil }
        guard missing.isEmpty else {
            throw CallFailure(notFound: "nothing was removed: there is no entry \(missing.joined(separator: ", "))")
        }
        let difference = ConfigDifference(from: state, to: state.removing(keys))
        return try ConfigChange(difference, tag: state.tag).make(remote, arguments)
    }

    private static func kind(_ arguments: Arguments) throws(UsageFailure) -> String? {
        guard let kind = arguments.option("--kind") else { return nil }
        guard ["value", "flag"].contains(kind) else {
            throw UsageFailure("'\(kind)' is not a valid kind of entry; expected value or flag")
        }
        return kind
    }

    private static func value(_ arguments: Arguments) throws -> JSONValue {
        let isString = arguments.has("--string")
        switch (arguments.optional("VALUE"), arguments.option("--file")) {
        case (let word?, nil) where word != "-":
            return try ValueText.value(Array(word.utf8), isString: isString, isWord: true)
        case (_?, nil): return try ValueText.value(try InputFile.read("-"), isString: isString, isWord: false)
        case (nil, let path?): return try ValueText.value(try InputFile.read(path), isString: isString, isWord: false)
        default: throw UsageFailure("expected either VALUE, - for standard input, or --file FILE")
        }
    }
}
