internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// A change that was worked out from a state of the config, to be shown or made.
struct ConfigChange {
    private let difference: ConfigDifference
    private let tag: String?

    /// - Parameter tag: of the state; when the config has moved on from it, nothing is changed.
    init(_ difference: ConfigDifference, tag: String?) {
        self.difference = difference
        self.tag = tag
    }

    /// Makes the change in one release, or only shows it with `--dry-run`.
    func make(_ remote: RemoteEnvironment, _ arguments: Arguments) throws -> ExitStatus {
        guard arguments.has(Option.dryRun.name) else {
            return try remote.apply(difference, message: try arguments.message(), ifMatch: tag).report(arguments)
        }
        // A change that cannot be made is refused already when it is shown.
        _ = try difference.patch()
        if arguments.wantsJSON {
            try Output.json(["changes": difference.json])
        } else {
            try Process.output(difference.isEmpty ? "nothing to change\n" : difference.text)
        }
        return .done
    }
}
