internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacTimestamps

/// The command `almanac flags ramp`.
enum FlagRamping {
    static let command = Command(
        name: "flags ramp", summary: "Give a variant to a share of all callers, at once or gradually.",
        operands: [.flag, Operand(name: "VARIANT"), Operand(name: "PERCENT")],
        options: [
            Option(
                name: "--over", value: "DURATION",
                help: "grow the share evenly over this time, such as 90m, 24h or 7d; default: at once"),
            .dryRun, .yes, ConfigChange.retry, .propose, .message, .json,
        ] + Option.server,
        details: """
            Changes the flag's rule to a split, or with --over to a ramp, which the server continues by itself.
            If the share grows, callers with VARIANT keep it, and other callers keep their variant unless they
            get VARIANT. A ramp that is under way stops at the share that it has reached, or continues from
            there with another --over. A split or ramp by the hash of another system keeps that hash. A rule
            that is more than one split or one ramp is refused; use 'almanac flags set' for such a rule. The
            command shows how many of a sample of callers would get something else. In an environment that its
            server marks with "caution", the command asks first.
            """,
        example: """
            $ almanac flags ramp new-ui on 20 --message 'a fifth'
            on gets 20 % of all callers instead of 10 %
            of 10000 sampled callers 1003 would get something else: off -> on 1003
            new-ui changed: revision 46, version 2.4.2
            $ almanac flags ramp new-ui on 100 --over 7d --dry-run
            """
    ) { arguments in
        let (key, variant) = (arguments.operand("KEY"), arguments.operand("VARIANT"))
        try Arguments.checkKey(key)
        guard let percent = FlagPercent(written: arguments.operand("PERCENT")) else {
            throw UsageFailure(
                "'\(arguments.operand("PERCENT"))' is not a percentage; expected a number from 0 to 100, with at most "
                    + "three decimals")
        }
        let (seconds, _) = (try duration(arguments), try arguments.message())
        let remote = try arguments.remote(writes: true)
        let flag = try FlagCommands.with(key, remote) { try remote.flag(key) }
        let plan: Plan
        do {
            plan = try Plan(flag.definition, variant, percent, seconds)
        } catch let refusal as FlagRamp.Refusal {
            throw CommandFailure(description: "'\(key)' can't be ramped: \(refusal)")
        }
        for note in plan.notes { Process.report("almanac: note: \(note)") }
        let sampling = try remote.sample(of: key, [("definition", .object(plan.end))])
        let shift = "\(TextTable.line(variant)) gets \(percent) % of all callers instead of \(plan.before) %"
        if !arguments.wantsJSON {
            let time = arguments.option("--over").map { ", over \($0)" } ?? ""
            try Process.output("\(shift)\(time)\n\(FlagTesting.moves(sampling))\n")
        }
        guard
            try Confirmation.isGiven(
                "ramps the flag '\(key)'", "Ramp the flag \(key) in \(remote.name)?", remote, arguments)
        else { return .failed }
        let difference = ConfigDifference(
            from: ConfigState(entry: flag.entry), setting: key, to: .object(plan.start), kind: nil)
        return try ConfigChange(difference, tag: flag.tag).make(remote, arguments)
    }

    /// The change of a flag by a ramp.
    private struct Plan {
        /// The definition from now on.
        let start: JSONObject
        /// The definition that gives the final share at once, for sampling.
        let end: JSONObject
        let before: FlagPercent
        var notes: [String] = []

        init(_ definition: JSONObject, _ variant: String, _ percent: FlagPercent, _ seconds: Int64?) throws {
            let now = Timestamp(milliseconds: WallClock.milliseconds)
            let ramp = try FlagRamp(definition, variant: variant, now: now)
            before = ramp.share
            start = try ramp.definition(giving: percent, over: seconds)
            end = seconds == nil ? start : try ramp.definition(giving: percent)
            if definition["state"] == "DISABLED" {
                notes.append("the flag is disabled, so nobody gets a variant until 'almanac flags enable'")
            }
            if ramp.usesAttribute, seconds != nil {
                notes.append("the split uses an attribute; callers without this attribute are outside the ramp")
            }
        }
    }

    /// Parses a duration and returns its seconds.
    private static func duration(_ arguments: Arguments) throws(UsageFailure) -> Int64? {
        guard let text = arguments.option("--over") else { return nil }
        guard let match = text.wholeMatch(of: /([0-9]{1,6})([mhd])/), let count = Int64(match.1), count > 0 else {
            throw UsageFailure("--over: '\(text)' is not a valid duration; expected one such as 90m, 24h or 7d")
        }
        let seconds = count * (match.2 == "m" ? 60 : match.2 == "h" ? 3600 : 86_400)
        guard seconds <= 3650 * 86_400 else { throw UsageFailure("--over: a ramp takes at most 3650d") }
        return seconds
    }
}
