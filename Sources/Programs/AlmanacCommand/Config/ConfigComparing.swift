internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// `almanac config diff` and `promote`
enum ConfigComparing {
    private static let naming = """
        Each is the name of an environment, or of a profile, so that they may be of different servers. \
        A token goes only to
        the environment that it is for; with {environment} in --token-file each gets its own.
        """

    static let diff = Command(
        name: "config diff", summary: "Show what differs between two environments.",
        operands: [Operand(name: "FROM"), Operand(name: "TO")], options: [.json] + Option.serverOfSeveral,
        details: """
            + stands before keys that only TO has, - before those that only FROM has, ~ before those with other values.
            The exit status is 0 when there is no difference, and 3 when there is one.

            """ + naming,
        example: """
            $ almanac config diff staging development
            ~ app.theme: "light" -> "dark"
            + app.timeout: 30
            """
    ) { arguments in
        let from = try environment("FROM", arguments)
        let difference = try from.difference(toEqual: try environment("TO", arguments)).difference
        if arguments.wantsJSON {
            try Output.json(
                [
                    "from": .string(arguments.operand("FROM")), "to": .string(arguments.operand("TO")),
                    "changes": difference.json,
                ])
        } else {
            try Process.output(difference.text)
        }
        return difference.isEmpty ? .done : .notThere
    }

    static let promote = Command(
        name: "config promote", summary: "Make one environment's config equal to another's, in one release.",
        operands: [Operand(name: "FROM"), Operand(name: "TO")],
        options: [
            Option(
                name: "--key", value: "KEY", help: "only this key; may be given several times", isRepeated: true),
            .dryRun,
            .message, .json,
        ] + Option.serverOfSeveral,
        details: """
            TO gets every key of FROM, and loses the keys that FROM doesn't have, except with --key. \
            FROM stays as it is.
            When TO is changed by somebody else meanwhile, nothing is done and the exit status is 4.

            """ + naming,
        example: """
            $ almanac config promote development staging --dry-run
            + app.timeout: 30
            $ almanac config promote development staging --message 'release 2.4'
            app.timeout changed: revision 18, version 2.4.0
            """
    ) { arguments in
        let source = try environment("FROM", arguments)
        let target = try environment("TO", arguments, writes: !arguments.has(Option.dryRun.name))
        var (difference, tag) = try target.difference(toEqual: source)
        let keys = arguments.all("--key")
        for key in keys { try Arguments.checkKey(key) }
        if !keys.isEmpty { difference = difference.limited(to: keys) }
        return try ConfigChange(difference, tag: tag).make(target, arguments)
    }

    private static func environment(
        _ operand: String, _ arguments: Arguments, writes: Bool = false
    ) throws -> RemoteEnvironment {
        try arguments.remote(try Settings.profile(named: arguments.operand(operand), arguments), writes: writes)
    }
}
