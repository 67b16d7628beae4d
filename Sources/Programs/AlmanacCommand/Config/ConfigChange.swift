internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// A change that was worked out from a state of the config, to be shown or made.
struct ConfigChange {
    private let difference: ConfigDifference
    private let tag: String?

    static let retry = Option(
        name: "--retry", help: "where others have changed other keys meanwhile, make the same change all the same")

    /// How often others may be faster.
    private static let attempts = 10

    /// - Parameter tag: of the state; when the config has moved on from it, nothing is changed.
    init(_ difference: ConfigDifference, tag: String?) {
        self.difference = difference
        self.tag = tag
    }

    /// Makes the change in one release, or only shows it with `--dry-run`.
    func make(_ remote: RemoteEnvironment, _ arguments: Arguments) throws -> ExitStatus {
        guard arguments.has(Option.dryRun.name) else { return try apply(remote, arguments).report(arguments) }
        // A change that cannot be made is refused already when it is shown.
        _ = try difference.patch()
        return try Self.show(difference, arguments)
    }

    /// Shows what would be changed.
    ///
    /// - Parameter description: what would become of the key's description.
    static func show(
        _ difference: ConfigDifference, describing description: ConfigDifference? = nil, _ arguments: Arguments
    ) throws -> ExitStatus {
        if arguments.wantsJSON {
            var members: [(name: String, value: JSONValue)] = [("changes", difference.json)]
            if let change = description?.changes.first {
                members.append(("description", ["before": change.before ?? "", "after": change.after ?? ""]))
            }
            try Output.json(.object(JSONObject(members)))
        } else {
            let text = difference.text(.ofOutput) + (description?.text(.ofOutput) ?? "")
            try Process.output(text.isEmpty ? "nothing to change\n" : text)
        }
        return .done
    }

    private func apply(_ remote: RemoteEnvironment, _ arguments: Arguments) throws -> WriteOutcome {
        let message = try arguments.message()
        var tag = tag
        for _ in 1..<Self.attempts {
            do {
                return try remote.apply(difference, message: message, ifMatch: tag)
            } catch {
                guard error.kind == .movedOn, arguments.has(Self.retry.name) else { throw error }
                let now = try remote.state(atLeast: error.cursor)
                guard difference.fits(now.values) else {
                    throw error.described(
                        as: "nothing was changed: others have changed the same keys meanwhile (\(error))")
                }
                tag = now.tag
            }
        }
        return try remote.apply(difference, message: message, ifMatch: tag)
    }
}
