internal import AlmanacClient
internal import AlmanacJSON

/// The commands `almanac flags enable` and `disable`.
enum FlagSwitching {
    static let enable = Command(
        name: "flags enable", summary: "Switch a flag on, so that clients get what its rule selects.",
        operands: [.flag], options: [.dryRun, .yes, .propose, .message, .json] + Option.server, details: question,
        example: """
            $ almanac flags enable new-ui
            new-ui enabled: revision 45, version 2.4.1
            """
    ) { try set($0, isOn: true) }

    static let disable = Command(
        name: "flags disable", summary: "Switch a flag off for everybody; clients use their own default.",
        operands: [.flag], options: [.dryRun, .yes, .propose, .message, .json] + Option.server,
        details: "Makes one release; clients are notified at once. The rest of the definition stays as it is. "
            + question,
        example: """
            $ almanac flags disable new-ui --yes --message 'crashes at checkout'
            new-ui disabled: revision 44, version 2.4.1
            """
    ) { try set($0, isOn: false) }

    private static let question =
        "In an environment\nthat its server marks with \"caution\", the command asks first; --yes skips the question."

    private static func set(_ arguments: Arguments, isOn: Bool) throws -> ExitStatus {
        let key = arguments.operand("KEY")
        try Arguments.checkKey(key)
        let message = try arguments.message()
        let isTrial = arguments.has(Option.dryRun.name)
        let remote = try arguments.remote(writes: !isTrial)
        return try FlagCommands.with(key, remote) {
            if isTrial {
                let flag = try remote.flag(key)
                let after = flag.definition.setting("state", isOn ? "ENABLED" : "DISABLED")
                let difference = ConfigDifference(
                    from: ConfigState(entry: flag.entry), setting: key, to: .object(after), kind: nil)
                return try ConfigChange.show(difference, try remote.forecast(difference), arguments)
            }
            guard
                try Confirmation.isGiven(
                    "switches the flag '\(key)' \(isOn ? "on" : "off")",
                    "Switch the flag \(key) \(isOn ? "on" : "off") in \(remote.name)?", remote, arguments)
            else { return .failed }
            let outcome = try remote.switchFlag(key, on: isOn, message: message)
            let deed = outcome.keys.isEmpty ? nil : "\(key) \(isOn ? "enabled" : "disabled")"
            return try outcome.report(as: deed, arguments)
        }
    }
}
