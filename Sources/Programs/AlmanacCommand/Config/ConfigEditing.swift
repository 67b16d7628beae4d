internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The command `almanac config edit`.
enum ConfigEditing {
    static let command = Command(
        name: "config edit", summary: "Edit one value, or the whole config, in an editor.",
        operands: [Operand(name: "KEY", isOptional: true, completion: .keys)],
        options: [.dryRun, ConfigChange.retry, .propose, .message, .json] + Option.server,
        details: """
            Opens $VISUAL, $EDITOR or vi, and makes one release of the changes. With KEY, the editor shows that
            value as JSON. Without KEY, it shows an object with a member for each key; deleting a member removes
            its key. The object does not contain flags; edit each flag by its KEY.
            If somebody else changes the config meanwhile, nothing is done, the exit status is 4, and a message
            names the file that keeps your text. --dry-run keeps the file too.
            """,
        example: "$ EDITOR=nano almanac config edit app.limits --message 'more retries'"
    ) { arguments in
        let remote = try arguments.remote(writes: true)
        _ = try arguments.message()
        let isTrial = arguments.has(Option.dryRun.name)
        guard let key = arguments.optional("KEY") else {
            let state = try remote.wholeState()
            let present = state.plainValues
            let draft = try Draft(JSONValue.object(present).pretty, named: "config", ending: ".json")
            return try draft.use(keeps: isTrial) { document in
                let values = try ConfigImport.values(document, draft.path)
                try ConfigImport.checkFlags(values, state, draft.path)
                let difference = ConfigDifference(from: present, to: values)
                return try ConfigChange(difference, tag: state.tag).make(remote, arguments)
            }
        }
        try Arguments.checkKey(key)
        let (entry, tag) = try remote.entry(key, version: nil)
        let draft = try Draft((entry["value"] ?? .null).pretty, named: "config", ending: ".json")
        return try draft.use(keeps: isTrial) { document in
            let value: JSONValue
            do { value = try JSONValue(parsing: document) } catch {
                throw CommandFailure(description: "\(draft.path): \(error)")
            }
            if value == entry["value"] { return try unchanged(arguments) }
            defer { KeptValues.warn(of: [key], remote) }
            if isTrial {
                let before = ConfigState(entry: entry)
                return try ConfigChange.show(
                    ConfigDifference(from: before, setting: key, to: value, kind: nil),
                    try remote.forecast(setting: key, to: value, description: nil), arguments)
            }
            return try set(key, from: entry["value"], to: value, tag, remote, arguments).report(arguments)
        }
    }

    private static func set(
        _ key: String, from before: JSONValue?, to value: JSONValue, _ tag: String?, _ remote: RemoteEnvironment,
        _ arguments: Arguments
    ) throws -> WriteOutcome {
        let message = try arguments.message()
        do {
            return try remote.set(key, to: value, description: nil, message: message, ifMatch: tag)
        } catch {
            guard error.kind == .preconditionFailed, arguments.has(ConfigChange.retry.name) else { throw error }
            let now = try remote.state(atLeast: error.cursor)
            guard now.values[key] == before else { throw error }
            return try remote.set(key, to: value, description: nil, message: message, ifMatch: now.tag)
        }
    }

    private static func unchanged(_ arguments: Arguments) throws -> ExitStatus {
        try Process.output(arguments.wantsJSON ? "null\n" : "nothing was changed in the editor\n")
        return .success
    }
}
