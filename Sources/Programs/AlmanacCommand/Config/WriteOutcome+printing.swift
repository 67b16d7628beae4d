internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

extension WriteOutcome {
    /// Prints the outcome of a write.
    ///
    /// - Parameter deed: replaces the list of changed keys.
    func report(as deed: String? = nil, _ arguments: Arguments) throws -> ExitStatus {
        for warning in warnings { Process.report("almanac: note: \(warning)") }
        if arguments.wantsJSON {
            try Output.json(.object(document))
        } else if let number = document["number"]?.description {
            try Process.output(
                "proposal \(number) is a draft; nothing was released\n"
                    + "almanac propose \(number) asks for its review\n")
        } else if deed == nil, keys.isEmpty {
            try Process.output("nothing to change: the config is at revision \(revision), version \(version)\n")
        } else {
            try Process.output("\(deed ?? summary): revision \(revision), version \(version)\n")
        }
        return .success
    }

    /// The summary of changed keys: `app.theme added`, `3 keys changed (1 added, 2 removed)`.
    private var summary: String {
        let known = Set(keys)
        let (added, removed) = (Set(added).intersection(known).count, removed.count)
        let what = keys.count == 1 ? keys[0] : "\(keys.count) keys"
        if added == keys.count { return what + " added" }
        if removed == keys.count { return what + " removed" }
        let parts = (added == 0 ? [] : ["\(added) added"]) + (removed == 0 ? [] : ["\(removed) removed"])
        return what + " changed" + (parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))")
    }
}
