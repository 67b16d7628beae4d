internal import AlmanacClientRuntime
public import AlmanacJSON

/// The config calls.
extension RemoteEnvironment {
    /// The whole config.
    ///
    /// - Parameters:
    ///   - revision: an earlier one; nil for the newest.
    ///   - version: the major, or version, that it is to be seen as.
    ///   - least: a revision that the answer must have reached.
    public func state(
        at revision: String? = nil, version: String? = nil, atLeast least: String? = nil
    ) throws(CallFailure) -> ConfigState {
        let response = try send(
            "GET", ["config.json"], query: pairs(("at", revision), ("version", version)),
            headers: least.map { [("Almanac-Min-Revision", $0)] } ?? [])
        return ConfigState(
            values: try response.object(), tag: response.headers["ETag"],
            revision: response.headers["Almanac-Revision"].flatMap { Int64($0) },
            version: response.headers["Almanac-Version"])
    }

    /// The whole config with what its keys are: flags too, for those who may see them.
    ///
    /// - Parameters: as for `state`.
    public func wholeState(
        at revision: String? = nil, version: String? = nil, atLeast least: String? = nil
    ) throws(CallFailure) -> ConfigState {
        let response = try send(
            "GET", ["config"], query: pairs(("at", revision), ("version", version)),
            headers: least.map { [("Almanac-Min-Revision", $0)] } ?? [])
        return ConfigState(
            entries: try response.list(), tag: response.headers["ETag"],
            revision: response.headers["Almanac-Revision"].flatMap { Int64($0) },
            version: response.headers["Almanac-Version"])
    }

    /// The config as one object, its keys split at their dots.
    public func nestedState(at revision: String?, version: String?) throws(CallFailure) -> JSONObject {
        let query = pairs(("nested", "true"), ("at", revision), ("version", version))
        return try send("GET", ["config.json"], query: query).object()
    }

    /// How far the config is.
    public func position() throws(CallFailure) -> ConfigPosition {
        let response = try send("HEAD", ["config.json"])
        return ConfigPosition(
            revision: response.headers["Almanac-Revision"] ?? "?", version: response.headers["Almanac-Version"] ?? "?",
            changedAt: response.headers["Last-Modified"], isStale: response.headers["Almanac-Stale"] == "true")
    }

    /// Who asks, as the server sees it: name, scopes, expiry.
    public func session() throws(CallFailure) -> JSONObject { try send("GET", ["session"]).object() }

    /// The entries, with the time each was changed, ordered by key.
    public func entries(at revision: String?, version: String?) throws(CallFailure) -> [JSONObject] {
        try send("GET", ["config"], query: pairs(("at", revision), ("version", version))).list()
    }

    /// The entries that the server finds a text in, whatever its case: in the key, the description or the value.
    ///
    /// - Returns: nil where it doesn't look: for a text that is empty or too long, and where it has no such call yet.
    public func entries(with text: String, version: String?) throws(CallFailure) -> [JSONObject]? {
        var entries: [JSONObject] = []
        var end: String?
        repeat {
            let response: TransportResponse<[UInt8]>
            do {
                response = try send(
                    "GET", ["config"], query: pairs(("q", text), ("after", end), ("version", version)))
            } catch {
                if error.problem == "invalid-parameter" { return nil }
                throw error
            }
            entries += try response.list()
            end = response.headers["Almanac-Search-End"]
        } while end != nil
        return entries
    }

    /// How the server is; nil where it doesn't say: without a token, and where it has no such call yet.
    public func serverStatus() throws(CallFailure) -> JSONObject? {
        guard hasToken else { return nil }
        do { return try send("GET", ["status"]).object() } catch {
            if ["not-found", "scope-too-small"].contains(error.problem) { return nil }
            throw error
        }
    }

    /// One entry, with its description and revision.
    public func entry(_ key: String, version: String?) throws(CallFailure) -> (entry: JSONObject, tag: String?) {
        let response = try send("GET", ["config", key], query: pairs(("version", version)))
        return (try response.object(), response.headers["ETag"])
    }

    /// Creates or replaces one entry.
    ///
    /// - Parameters:
    ///   - description: nil leaves it as it is.
    ///   - kind: `value` or `flag`; nil leaves it as it is, and makes a new entry a plain value.
    ///   - tag: of the state that the write is based on; nil writes in any case.
    public func set(
        _ key: String, to value: JSONValue, description: String?, kind: String? = nil, message: String?,
        ifMatch tag: String? = nil
    ) throws(CallFailure) -> WriteOutcome {
        var body: [(name: String, value: JSONValue)] = [("value", value)]
        if let kind { body.append(("kind", .string(kind))) }
        if let description { body.append(("description", .string(description))) }
        let response = try send(
            "PUT", ["config", key], headers: headers(message, tag), json: .object(JSONObject(body)))
        return try WriteOutcome(response, added: response.status == 201 ? [key] : [])
    }

    /// Makes the changes in one release.
    public func apply(
        _ difference: ConfigDifference, message: String?, ifMatch tag: String?
    ) throws(CallFailure) -> WriteOutcome {
        let write = difference.write
        let response: TransportResponse<[UInt8]>
        do {
            response = try send(
                "PATCH", ["config"], query: write.query, headers: headers(message, tag), json: write.json)
        } catch {
            // Older servers take merge patches only.
            if error.problem == "invalid-parameter" { _ = try difference.patch() }
            throw error
        }
        return try WriteOutcome(response, added: difference.changes.filter { $0.before == nil }.map(\.key))
    }

    /// The changes that would make this environment's config equal to another's.
    ///
    /// - Returns: also the tag of the state that is to be changed.
    public func difference(
        toEqual other: RemoteEnvironment
    ) throws(CallFailure) -> (difference: ConfigDifference, tag: String?) {
        guard isBeside(other) else {
            let (here, there) = (try wholeState(), try other.wholeState())
            return (ConfigDifference(from: here, to: there), here.tag)
        }
        // The server looks at the newest state of both, whatever its caches hold.
        let (response, form) = try serverDifference(toEqual: other)
        let document = try response.object()
        let least = response.headers["Almanac-Cursor"]
        let difference =
            switch form {
            case .entries:
                ConfigDifference(replacing: try wholeState(atLeast: least), withEntries: document)
            case .values: ConfigDifference(replacing: try state(atLeast: least).values, with: document)
            case .patch: ConfigDifference(patching: try state(atLeast: least).values, with: document)
            }
        return (difference, response.headers["ETag"])
    }

    /// How a server says what differs: older ones as whole values, without flags, and the oldest as a merge patch.
    private enum DifferenceForm: CaseIterable {
        case entries
        case values
        case patch

        var query: [(name: String, value: String)] {
            switch self {
            case .entries: [("replace", "true"), ("form", "entries")]
            case .values: [("replace", "true")]
            case .patch: []
            }
        }
    }

    private func serverDifference(
        toEqual other: RemoteEnvironment
    ) throws(CallFailure) -> (TransportResponse<[UInt8]>, DifferenceForm) {
        let headers = other.token.map { [(name: "Almanac-Other-Authorization", value: "Bearer \($0.text)")] } ?? []
        for form in [DifferenceForm.entries, .values] {
            do {
                return (try send("GET", ["diff", other.name], query: form.query, headers: headers), form)
            } catch {
                guard error.problem == "invalid-parameter" else { throw error }
            }
        }
        return (try send("GET", ["diff", other.name], headers: headers), .patch)
    }

    /// The majors that are served, oldest first.
    public func majors() throws(CallFailure) -> [KeptMajor] {
        try majorDocuments().compactMap { major in
            guard let number = major["major"]?.numberValue?.int64, major["retired_at"]?.stringValue == nil else {
                return nil
            }
            return KeptMajor(
                major: number, version: major["version"]?.stringValue ?? "",
                isCurrent: major["current"]?.boolValue == true,
                keeps: major["keeps"]?.arrayValue?.compactMap(\.stringValue) ?? [])
        }
    }

    /// All majors that were ever released, retired ones too, as the server tells of them.
    public func majorDocuments() throws(CallFailure) -> [JSONObject] { try send("GET", ["majors"]).list() }

    /// Ends a major, with the values that only it saw.
    public func retire(major: String, message: String?) throws(CallFailure) -> WriteOutcome {
        try WriteOutcome(send("DELETE", ["majors", major], headers: headers(message, nil)))
    }

    /// Takes a key out of every major and out of the history.
    public func purge(_ key: String, message: String?) throws(CallFailure) -> WriteOutcome {
        try WriteOutcome(
            send("DELETE", ["config", key], query: [("purge", "true")], headers: headers(message, nil)))
    }

    /// The entries with their descriptions, ordered by key, as one state.
    public func describedEntries(version: String?) throws(CallFailure) -> (
        entries: [DescribedEntry], state: ConfigState
    ) {
        let state = try state(version: version)
        var entries: [DescribedEntry] = []
        for member in state.values.members {
            // What was removed meanwhile has no description any more.
            let entry = try? entry(member.name, version: version).entry
            entries.append(
                DescribedEntry(
                    key: member.name, value: member.value, description: entry?["description"]?.stringValue ?? ""))
        }
        entries.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return (entries, state)
    }

    /// The releases, newest first.
    public func releases(_ filter: HistoryFilter) throws(CallFailure) -> [JSONObject] {
        try send("GET", ["releases"], query: filter.pairs).list()
    }

    /// A release, with what it changed.
    public func release(_ revision: String) throws(CallFailure) -> JSONObject {
        try send("GET", ["releases", revision]).object()
    }

    /// The history of one key, newest first.
    public func history(of key: String, _ filter: HistoryFilter) throws(CallFailure) -> [JSONObject] {
        try send("GET", ["config", key, "history"], query: filter.pairs).list()
    }

    /// Who did what, newest first.
    public func audit(_ filter: HistoryFilter) throws(CallFailure) -> [JSONObject] {
        try send("GET", ["audit"], query: filter.pairs).list()
    }

    /// Makes the config what it was at a revision, as a new release.
    public func restore(_ revision: String, message: String?) throws(CallFailure) -> WriteOutcome {
        let outcome = try WriteOutcome(send("POST", ["releases", revision, "restore"], headers: headers(message, nil)))
        // The release is made, whether it can be looked at or not.
        guard !outcome.keys.isEmpty, let release = try? self.release(String(outcome.revision)) else { return outcome }
        let changes = release["changes"]?.arrayValue?.compactMap(\.objectValue) ?? []
        let added = changes.filter { $0["before"].map { $0 == .null } ?? true }.compactMap { $0["key"]?.stringValue }
        return WriteOutcome(document: outcome.document, added: added)
    }

    func headers(_ message: String?, _ tag: String?) -> [(name: String, value: String)] {
        (message.map { [("Almanac-Message", $0)] } ?? []) + (tag.map { [("If-Match", $0)] } ?? [])
    }

    /// The parameters of a query that are given.
    func pairs(_ pairs: (String, String?)...) -> [(name: String, value: String)] {
        pairs.compactMap { pair in pair.1.map { (pair.0, $0) } }
    }
}

/// Which part of a list that runs back in time is asked for.
public struct HistoryFilter: Sendable {
    let pairs: [(name: String, value: String)]

    /// - Parameter pairs: parameters of the query, of which those without a value are left out.
    public init(_ pairs: [(name: String, value: String?)]) {
        self.pairs = pairs.compactMap { pair in pair.value.map { (pair.name, $0) } }
    }
}

/// The config of an environment at one moment: values by key.
public struct ConfigState: Sendable {
    public let values: JSONObject
    /// What those keys are that are no plain values, such as `flag`; none where only values were asked for.
    public let kinds: [String: String]
    /// For `If-Match`: writes that are based on this state and no other.
    public let tag: String?
    public let revision: Int64?
    public let version: String?

    static let plainKind = "value"

    /// - Parameter kinds: of keys that are no plain values.
    public init(values: JSONObject, kinds: [String: String] = [:], tag: String?, revision: Int64?, version: String?) {
        (self.values, self.kinds, self.tag, self.revision, self.version) = (values, kinds, tag, revision, version)
    }

    init(entries: [JSONObject], tag: String?, revision: Int64?, version: String?) {
        var values: [(name: String, value: JSONValue)] = []
        var kinds: [String: String] = [:]
        for entry in entries {
            guard let key = entry["key"]?.stringValue, let value = entry["value"] else { continue }
            values.append((key, value))
            kinds[key] = entry["kind"]?.stringValue.flatMap(Self.special)
        }
        self.init(values: JSONObject(values), kinds: kinds, tag: tag, revision: revision, version: version)
    }

    /// The state of one entry.
    public init(entry: JSONObject) {
        self.init(entries: [entry], tag: nil, revision: nil, version: nil)
    }

    /// A kind as `kinds` has it.
    static func special(_ kind: String) -> String? { kind == plainKind ? nil : kind }

    /// The values alone: without flags, and what else is of a kind of its own.
    public var plainValues: JSONObject {
        kinds.isEmpty ? values : JSONObject(values.members.filter { kinds[$0.name] == nil })
    }

    /// The keys of the flags, in order.
    public var flagKeys: [String] { values.members.map(\.name).filter { kinds[$0] == "flag" } }

    /// The state in which these keys are gone.
    public func removing(_ keys: [String]) -> ConfigState {
        var values = values
        for key in keys { values = values.removing(key) }
        return ConfigState(values: values, kinds: kinds, tag: tag, revision: revision, version: version)
    }
}

/// How far a config has come, without what is in it.
public struct ConfigPosition: Sendable {
    public let revision: String
    public let version: String
    /// When it was last changed, as HTTP writes times.
    public let changedAt: String?
    /// The server's database is away, so there may be a newer one.
    public let isStale: Bool
}

/// The server's response to a write: the revision and version that the config is at now, and its changes.
public struct WriteOutcome: Sendable {
    /// The response as it came.
    public let document: JSONObject
    /// Keys that were not there before.
    public let added: [String]

    public var revision: Int64 { document["revision"]?.numberValue?.int64 ?? 0 }
    public var version: String { document["version"]?.stringValue ?? "" }
    /// The keys that were changed; none when the config was so already.
    public var keys: [String] { entries.compactMap { $0["key"]?.stringValue } }
    /// Those that are there no more.
    public var removed: [String] { entries.filter { $0["deleted"] == true }.compactMap { $0["key"]?.stringValue } }
    /// What the server thinks may not have been meant.
    public var warnings: [String] { document["warnings"]?.arrayValue?.compactMap(\.stringValue) ?? [] }

    private var entries: [JSONObject] { document["entries"]?.arrayValue?.compactMap(\.objectValue) ?? [] }

    init(document: JSONObject, added: [String]) {
        self.document = document
        self.added = added
    }

    init(_ response: TransportResponse<[UInt8]>, added: [String] = []) throws(CallFailure) {
        self.init(document: try response.object(), added: added)
    }
}
