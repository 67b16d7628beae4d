internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The command `almanac flags resplit`.
enum FlagResplitting {
    static let command = Command(
        name: "flags resplit", summary: "Split a flag from another system by Almanac's own hash.", operands: [.flag],
        options: [.dryRun, .yes, ConfigChange.retry, .propose, .message, .json] + Option.server,
        details: """
            A flag that was imported from another flag system keeps that system's hash (almanac.split), so that
            nobody's variant changes. This command gives the same shares by Almanac's own hash, which flagd and
            the other commands understand. It shows how many of a sample of callers would get something else:
            usually most of those who can. In an environment that its server marks with "caution", the command
            asks first.
            """,
        example: """
            $ almanac flags resplit new-ui --dry-run
            of 10000 sampled callers 4978 would get something else: on -> off 2494, off -> on 2484
            """
    ) { arguments in
        let key = arguments.operand("KEY")
        try Arguments.checkKey(key)
        _ = try arguments.message()
        let remote = try arguments.remote(writes: true)
        let flag = try FlagCommands.with(key, remote) { try remote.flag(key) }
        guard let definition = FlagOwnSplit.definition(flag.definition) else {
            throw CommandFailure(description: "'\(key)' has no split of another system, so nothing changes")
        }
        let sampling = try remote.sample(of: key, [("definition", .object(definition))])
        if !arguments.wantsJSON { try Process.output(FlagTesting.moves(sampling) + "\n") }
        guard
            try Confirmation.isGiven(
                "moves callers of the flag '\(key)'", "Split the flag \(key) in \(remote.name) anew?", remote, arguments
            )
        else { return .failed }
        let difference = ConfigDifference(
            from: ConfigState(entry: flag.entry), setting: key, to: .object(definition), kind: nil)
        return try ConfigChange(difference, tag: flag.tag).make(remote, arguments)
    }
}
