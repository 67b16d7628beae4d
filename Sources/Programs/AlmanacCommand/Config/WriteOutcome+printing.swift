internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

extension WriteOutcome {
    /// Tells what a write has done.
    func report(_ arguments: Arguments) throws -> ExitStatus {
        if arguments.wantsJSON {
            try Output.json(.object(document))
        } else if keys.isEmpty {
            try Process.output("nothing to change: the config is at revision \(revision), version \(version)\n")
        } else {
            let what = keys.count == 1 ? keys[0] : "\(keys.count) keys"
            try Process.output("\(what) changed: revision \(revision), version \(version)\n")
        }
        return .done
    }
}
