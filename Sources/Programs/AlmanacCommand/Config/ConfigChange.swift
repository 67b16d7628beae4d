internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// A change computed from a state of the config, to be shown or made.
struct ConfigChange {
    private let difference: ConfigDifference
    private let tag: String?

    static let retry = Option(
        name: "--retry", help: "apply the change again if others changed only other keys meanwhile")

    /// The limit on attempts with `--retry`.
    private static let maxAttempts = 10

    /// - Parameter tag: the ETag of the state; nothing changes if the config has changed since.
    init(_ difference: ConfigDifference, tag: String?) {
        self.difference = difference
        self.tag = tag
    }

    /// Makes the change in one release, or only shows it with `--dry-run`.
    func make(_ remote: RemoteEnvironment, _ arguments: Arguments) throws -> ExitStatus {
        if arguments.has(Option.dryRun.name) {
            // The forecast also refuses changes that the server would refuse.
            let forecast = try remote.forecast(difference, ifMatch: arguments.has(Self.retry.name) ? nil : tag)
            defer { KeptValues.warn(of: difference.changes.filter { $0.after != nil }.map(\.key), remote) }
            return try Self.show(difference, forecast, arguments)
        }
        let outcome = try apply(remote, arguments)
        defer { KeptValues.warn(of: outcome.keys.filter { !outcome.removed.contains($0) }, remote) }
        return try outcome.report(arguments)
    }

    /// Shows a change without making it.
    ///
    /// - Parameters:
    ///   - description: the change of the key's description.
    ///   - forecast: the server's forecast; nil if the server makes none.
    static func show(
        _ difference: ConfigDifference, describing description: ConfigDifference? = nil, _ forecast: ConfigForecast?,
        _ arguments: Arguments
    ) throws -> ExitStatus {
        for warning in forecast?.warnings ?? [] { Process.report("almanac: note: \(warning)") }
        if arguments.wantsJSON {
            var members: [(name: String, value: JSONValue)] = [("changes", difference.json)]
            if let change = description?.changes.first {
                members.append(("description", ["before": change.before ?? "", "after": change.after ?? ""]))
            }
            if let forecast { members.append(("forecast", .object(forecast.document))) }
            try Output.json(.object(JSONObject(members)))
        } else {
            let text = difference.text(.ofOutput) + (description?.text(.ofOutput) ?? "")
            try Process.output(text.isEmpty ? "nothing to change\n" : text + (forecast?.text ?? ""))
        }
        return .success
    }

    private func apply(_ remote: RemoteEnvironment, _ arguments: Arguments) throws -> WriteOutcome {
        let message = try arguments.message()
        var tag = tag
        for _ in 1..<Self.maxAttempts {
            do {
                return try remote.apply(difference, message: message, ifMatch: tag)
            } catch {
                guard error.kind == .preconditionFailed, arguments.has(Self.retry.name) else { throw error }
                let now = try remote.wholeState(atLeast: error.cursor)
                guard difference.fits(now) else {
                    throw error.described(as: "nothing was changed: others changed the same keys meanwhile (\(error))")
                }
                tag = now.tag
            }
        }
        return try remote.apply(difference, message: message, ifMatch: tag)
    }
}
