internal import AlmanacClient
internal import AlmanacJSON

/// The command `almanac flags set`.
enum FlagWriting {
    static let set = Command(
        name: "flags set", summary: "Set the definition of a new or existing flag.",
        operands: [.flag, Operand(name: "DEFINITION", completion: .file)],
        options: [
            Option(name: "--description", value: "TEXT", help: "a description of the flag"), TypeCheck.retype, .dryRun,
            .yes, .propose, .message, .json,
        ] + Option.server,
        details: """
            DEFINITION is a file, - for standard input, or the object itself, in flagd's format. A definition
            with faults is refused, with the place of each fault. With --retype, variants may have values of
            another type than before, and a plain value may become a flag, which makes a new major. In an
            environment that its server marks with "caution", the command asks first.
            """,
        example: """
            $ almanac flags set new-ui '{"state": "ENABLED", "variants": {"on": true, "off": false},
                  "defaultVariant": "off", "targeting": {"if": [{"==": [{"var": "plan"}, "pro"]}, "on"]}}'
            new-ui added: revision 43, version 2.4.0
            """
    ) { arguments in
        let key = arguments.operand("KEY")
        try Arguments.checkKey(key)
        let definition = JSONValue.object(try FlagCommands.object(arguments.operand("DEFINITION"), "DEFINITION"))
        let (description, message) = (arguments.option("--description"), try arguments.message())
        if arguments.has(Option.dryRun.name) {
            let remote = try arguments.remote()
            try TypeCheck.run(key, definition, kind: "flag", isParsed: false, remote, arguments)
            let difference = ConfigDifference(from: try remote.wholeState(), setting: key, to: definition, kind: "flag")
            let forecast = try remote.forecast(setting: key, to: definition, description: description, kind: "flag")
            return try ConfigChange.show(difference, forecast, arguments)
        }
        let remote = try arguments.remote(writes: true)
        try TypeCheck.run(key, definition, kind: "flag", isParsed: false, remote, arguments)
        guard
            try Confirmation.isGiven(
                "sets the flag '\(key)'", "Set the flag \(key) in \(remote.name)?", remote, arguments)
        else { return .failed }
        let outcome = try remote.set(key, to: definition, description: description, kind: "flag", message: message)
        defer { KeptValues.warn(of: [key], remote) }
        return try outcome.report(arguments)
    }
}
