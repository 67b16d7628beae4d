internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The commands `almanac config diff` and `promote`.
enum ConfigComparing {
    private static let naming = """
        FROM and TO are names of environments or of profiles. With profiles, they may be on different
        servers. A token is sent only to its own environment; {environment} in --token-file selects a token
        for each.
        """

    static let diff = Command(
        name: "config diff",
        summary: "Show the differences between two environments, or two revisions of one environment.",
        operands: [Operand(name: "FROM", completion: .places), Operand(name: "TO", completion: .places)],
        options: [.json] + Option.server,
        details: """
            If FROM and TO are numbers, they are revisions of the environment that --environment, a variable or
            a profile names. In the output, + marks a key that only TO has, - a key that only FROM has, and ~ a
            key with different values. The exit status is 0 without differences, and 3 with differences.

            """ + naming,
        example: """
            $ almanac config diff staging development
            ~ app.theme: "light" -> "dark"
            + app.timeout: 30
            $ almanac config diff 41 43 --environment production
            """
    ) { arguments in
        let difference = try difference(arguments)
        if arguments.wantsJSON {
            try Output.json([
                "from": .string(arguments.operand("FROM")), "to": .string(arguments.operand("TO")),
                "changes": difference.json,
            ])
        } else {
            try Process.output(difference.text(.ofOutput))
        }
        return difference.isEmpty ? .success : .notFound
    }

    static let promote = Command(
        name: "config promote", summary: "Make one environment's config equal to another's, in one release.",
        operands: [Operand(name: "FROM", completion: .places), Operand(name: "TO", completion: .places)],
        options: [
            Option(name: "--key", value: "KEY", help: "copy only this key; may be repeated", isRepeated: true), .dryRun,
            ConfigChange.retry, .propose, .message, .json,
        ] + Option.serverOfSeveral,
        details: """
            TO gets every key of FROM and, without --key, loses the keys that FROM lacks. FROM is not changed.
            If FROM lacks a key of --key, nothing is done. If somebody else changes TO meanwhile, nothing is
            done and the exit status is 4.

            """ + naming,
        example: """
            $ almanac config promote development staging --dry-run
            + app.timeout: 30
            $ almanac config promote development staging --message 'release 2.4'
            app.timeout added: revision 18, version 2.4.0
            """
    ) { arguments in
        let source = try environment("FROM", arguments)
        let target = try environment("TO", arguments, writes: !arguments.has(Option.dryRun.name))
        if !source.hasToken {
            Process.report("almanac: note: flags of '\(source.name)' are omitted, because they need a token")
        }
        var (difference, tag) = try target.difference(toEqual: source)
        let keys = arguments.all("--key")
        for key in keys { try Arguments.checkKey(key) }
        if !keys.isEmpty {
            let there = try source.wholeState().values
            let missing = keys.filter { there[$0] == nil }.joined(separator: ", ")
            guard missing.isEmpty else {
                throw CallFailure(
                    notFound: "nothing was changed: '\(arguments.operand("FROM"))' has no entry \(missing); "
                        + "'almanac config unset' removes a key")
            }
            difference = difference.limited(to: keys)
        }
        return try ConfigChange(difference, tag: tag).make(target, arguments)
    }

    private static func difference(_ arguments: Arguments) throws -> ConfigDifference {
        let names = [arguments.operand("FROM"), arguments.operand("TO")]
        // The operands are revisions, because no environment's name begins with a digit.
        if names.allSatisfy({ $0.utf8.first.map { (48...57).contains($0) } ?? false }) {
            for name in names { try Arguments.checkRevision(name) }
            let remote = try arguments.remote()
            return ConfigDifference(from: try remote.wholeState(at: names[0]), to: try remote.wholeState(at: names[1]))
        }
        return try environment("FROM", arguments).difference(toEqual: try environment("TO", arguments)).difference
    }

    private static func environment(
        _ operand: String, _ arguments: Arguments, writes: Bool = false
    ) throws -> RemoteEnvironment {
        try arguments.remote(try Settings.profile(named: arguments.operand(operand), arguments), writes: writes)
    }
}
