internal import AlmanacClientRuntime
public import AlmanacJSON

extension RemoteEnvironment {
    /// Fetches the complete config.
    ///
    /// - Parameters:
    ///   - revision: the revision; nil for the newest.
    ///   - version: the major or version whose view to fetch.
    ///   - minRevision: the minimum revision of the response.
    public func state(
        at revision: String? = nil, version: String? = nil, atLeast minRevision: String? = nil
    ) throws(CallFailure) -> ConfigState {
        let response = try send(
            "GET", ["config.json"], query: pairs(("at", revision), ("version", version)),
            headers: minRevision.map { [("Almanac-Min-Revision", $0)] } ?? [])
        return ConfigState(
            values: try response.object(), tag: response.headers["ETag"],
            revision: response.headers["Almanac-Revision"].flatMap { Int64($0) },
            version: response.headers["Almanac-Version"])
    }

    /// Fetches the complete config with kinds, including flags if the token may read them.
    ///
    /// - Parameters: as for `state`.
    public func wholeState(
        at revision: String? = nil, version: String? = nil, atLeast minRevision: String? = nil
    ) throws(CallFailure) -> ConfigState {
        let response = try send(
            "GET", ["config"], query: pairs(("at", revision), ("version", version)),
            headers: minRevision.map { [("Almanac-Min-Revision", $0)] } ?? [])
        return ConfigState(
            entries: try response.list(), tag: response.headers["ETag"],
            revision: response.headers["Almanac-Revision"].flatMap { Int64($0) },
            version: response.headers["Almanac-Version"])
    }

    /// Fetches the config as one object with nested keys.
    public func nestedState(at revision: String?, version: String?) throws(CallFailure) -> JSONObject {
        let query = pairs(("nested", "true"), ("at", revision), ("version", version))
        return try send("GET", ["config.json"], query: query).object()
    }

    /// Fetches the current revision and version.
    public func position() throws(CallFailure) -> ConfigPosition {
        let response = try send("HEAD", ["config.json"])
        return ConfigPosition(
            revision: response.headers["Almanac-Revision"] ?? "?", version: response.headers["Almanac-Version"] ?? "?",
            changedAt: response.headers["Last-Modified"], isStale: response.headers["Almanac-Stale"] == "true")
    }

    /// Fetches the caller's name, scopes and expiry.
    public func session() throws(CallFailure) -> JSONObject { try send("GET", ["session"]).object() }

    /// Fetches the entries with the times of their last changes, sorted by key.
    public func entries(at revision: String?, version: String?) throws(CallFailure) -> [JSONObject] {
        try send("GET", ["config"], query: pairs(("at", revision), ("version", version))).list()
    }

    /// Searches keys, descriptions and values for a text, ignoring case.
    ///
    /// - Returns: the matching entries; nil if the text is empty or too long, and from a server without this search.
    public func entries(with text: String, version: String?) throws(CallFailure) -> [JSONObject]? {
        var entries: [JSONObject] = []
        var end: String?
        repeat {
            let response: TransportResponse<[UInt8]>
            do {
                response = try send("GET", ["config"], query: pairs(("q", text), ("after", end), ("version", version)))
            } catch {
                if error.problem == "invalid-parameter" { return nil }
                throw error
            }
            entries += try response.list()
            end = response.headers["Almanac-Search-End"]
        } while end != nil
        return entries
    }

    /// Fetches the server's status; nil without a token, and from a server without this request.
    public func serverStatus() throws(CallFailure) -> JSONObject? {
        guard hasToken else { return nil }
        do { return try send("GET", ["status"]).object() } catch {
            if ["not-found", "scope-too-small"].contains(error.problem) { return nil }
            throw error
        }
    }

    /// Fetches an entry with its description and revision.
    public func entry(_ key: String, version: String?) throws(CallFailure) -> (entry: JSONObject, tag: String?) {
        let response = try send("GET", ["config", key], query: pairs(("version", version)))
        return (try response.object(), response.headers["ETag"])
    }

    /// Reads an entry as ``entry(_:version:)`` does; nil if there is none.
    public func existingEntry(_ key: String) throws(CallFailure) -> JSONObject? {
        do {
            return try entry(key, version: nil).entry
        } catch {
            guard error.problem == "entry-not-found" else { throw error }
            return nil
        }
    }

    /// Creates or replaces an entry.
    ///
    /// - Parameters:
    ///   - description: the new description; nil leaves it unchanged.
    ///   - kind: `value` or `flag`; nil leaves the kind unchanged, and creates a new entry as a plain value.
    ///   - tag: the `ETag` of the state on which the write is based; nil writes unconditionally.
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

    /// Applies all changes in one release.
    public func apply(
        _ difference: ConfigDifference, message: String?, ifMatch tag: String?
    ) throws(CallFailure) -> WriteOutcome {
        let write = difference.write
        let response: TransportResponse<[UInt8]>
        do {
            response = try send(
                "PATCH", ["config"], query: write.query, headers: headers(message, tag), json: write.json)
        } catch {
            // Older servers accept merge patches only.
            if error.problem == "invalid-parameter" { _ = try difference.patch() }
            throw error
        }
        return try WriteOutcome(response, added: difference.changes.filter { $0.before == nil }.map(\.key))
    }

    /// Fetches the changes that would make this environment's config equal to another's.
    ///
    /// - Returns: the difference, and the `ETag` of this environment's state.
    public func difference(
        toEqual other: RemoteEnvironment
    ) throws(CallFailure) -> (difference: ConfigDifference, tag: String?) {
        guard isOnSameServer(as: other) else {
            let (here, there) = (try wholeState(), try other.wholeState())
            return (ConfigDifference(from: here, to: there), here.tag)
        }
        // The server compares the newest states, while its caches may hold older ones.
        let (response, form) = try serverDifference(toEqual: other)
        let document = try response.object()
        let minRevision = response.headers["Almanac-Cursor"]
        let difference =
            switch form {
            case .entries: ConfigDifference(replacing: try wholeState(atLeast: minRevision), withEntries: document)
            case .values: ConfigDifference(replacing: try state(atLeast: minRevision).values, with: document)
            case .patch: ConfigDifference(patching: try state(atLeast: minRevision).values, with: document)
            }
        return (difference, response.headers["ETag"])
    }

    /// The formats of a comparison. Older servers send values without flags, and the oldest a merge patch.
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

    /// Fetches the majors that are not retired, oldest first.
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

    /// Fetches all released majors, including retired ones.
    public func majorDocuments() throws(CallFailure) -> [JSONObject] { try send("GET", ["majors"]).list() }

    /// Retires a major and deletes the values that only this major saw.
    public func retire(major: String, message: String?) throws(CallFailure) -> WriteOutcome {
        try WriteOutcome(send("DELETE", ["majors", major], headers: headers(message, nil)))
    }

    /// Removes a key from every major and from the history.
    public func purge(_ key: String, message: String?) throws(CallFailure) -> WriteOutcome {
        try WriteOutcome(send("DELETE", ["config", key], query: [("purge", "true")], headers: headers(message, nil)))
    }

    /// Fetches the entries with their descriptions, sorted by key, and the state that contains them.
    public func describedEntries(version: String?) throws(CallFailure) -> (
        entries: [DescribedEntry], state: ConfigState
    ) {
        let state = try state(version: version)
        var entries: [DescribedEntry] = []
        for member in state.values.members {
            // An entry that was removed meanwhile has no description.
            let entry = try? entry(member.name, version: version).entry
            entries.append(
                DescribedEntry(
                    key: member.name, value: member.value, description: entry?["description"]?.stringValue ?? ""))
        }
        entries.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return (entries, state)
    }

    /// Fetches the releases, newest first.
    public func releases(_ filter: HistoryFilter) throws(CallFailure) -> [JSONObject] {
        try send("GET", ["releases"], query: filter.pairs).list()
    }

    /// Fetches a release with its changes.
    public func release(_ revision: String) throws(CallFailure) -> JSONObject {
        try send("GET", ["releases", revision]).object()
    }

    /// Fetches the history of a key, newest first.
    public func history(of key: String, _ filter: HistoryFilter) throws(CallFailure) -> [JSONObject] {
        try send("GET", ["config", key, "history"], query: filter.pairs).list()
    }

    /// Fetches the audit log, newest first.
    public func audit(_ filter: HistoryFilter) throws(CallFailure) -> [JSONObject] {
        try send("GET", ["audit"], query: filter.pairs).list()
    }

    /// Restores the config of a revision in a new release.
    public func restore(_ revision: String, message: String?) throws(CallFailure) -> WriteOutcome {
        let outcome = try WriteOutcome(send("POST", ["releases", revision, "restore"], headers: headers(message, nil)))
        // The restore has succeeded even if this request fails.
        guard !outcome.keys.isEmpty, let release = try? self.release(String(outcome.revision)) else { return outcome }
        let changes = release["changes"]?.arrayValue?.compactMap(\.objectValue) ?? []
        let added = changes.filter { $0["before"].map { $0 == .null } ?? true }.compactMap { $0["key"]?.stringValue }
        return WriteOutcome(document: outcome.document, added: added)
    }

    func headers(_ message: String?, _ tag: String?) -> [(name: String, value: String)] {
        (message.map { [("Almanac-Message", $0)] } ?? []) + (tag.map { [("If-Match", $0)] } ?? [])
    }

    func pairs(_ pairs: (String, String?)...) -> [(name: String, value: String)] {
        pairs.compactMap { pair in pair.1.map { (pair.0, $0) } }
    }
}

/// The filter and page of a list in reverse chronological order.
public struct HistoryFilter: Sendable {
    let pairs: [(name: String, value: String)]

    /// - Parameter pairs: the query parameters; a nil value is omitted.
    public init(_ pairs: [(name: String, value: String?)]) {
        self.pairs = pairs.compactMap { pair in pair.value.map { (pair.name, $0) } }
    }
}

/// The config of an environment at one revision: values by key.
public struct ConfigState: Sendable {
    public let values: JSONObject
    /// The kinds of keys that are not plain values, such as `flag`; empty if only values were fetched.
    public let kinds: [String: String]
    /// The `ETag` for `If-Match`, so that a write fails if the state has changed.
    public let tag: String?
    public let revision: Int64?
    public let version: String?

    static let plainKind = "value"

    /// - Parameter kinds: the kinds of keys that are not plain values.
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

    /// Creates the state of one entry.
    public init(entry: JSONObject) { self.init(entries: [entry], tag: nil, revision: nil, version: nil) }

    /// Returns the kind for `kinds`; nil for a plain value.
    static func special(_ kind: String) -> String? { kind == plainKind ? nil : kind }

    /// The values without flags and other special kinds.
    public var plainValues: JSONObject {
        kinds.isEmpty ? values : JSONObject(values.members.filter { kinds[$0.name] == nil })
    }

    /// The keys of the flags, in order.
    public var flagKeys: [String] { values.members.map(\.name).filter { kinds[$0] == "flag" } }

    /// Returns the state without these keys.
    public func removing(_ keys: [String]) -> ConfigState {
        var values = values
        for key in keys { values = values.removing(key) }
        return ConfigState(values: values, kinds: kinds, tag: tag, revision: revision, version: version)
    }
}

/// The revision and version of a config, without its values.
public struct ConfigPosition: Sendable {
    public let revision: String
    public let version: String
    /// The time of the last change, in HTTP's format.
    public let changedAt: String?
    /// True if the server's database is unreachable, so that there may be a newer revision.
    public let isStale: Bool
}

/// The server's response to a write: the new revision and version, and the changes.
public struct WriteOutcome: Sendable {
    /// The response.
    public let document: JSONObject
    /// The new keys.
    public let added: [String]

    public var revision: Int64 { document["revision"]?.numberValue?.int64 ?? 0 }
    public var version: String { document["version"]?.stringValue ?? "" }
    /// The changed keys; empty if the config already had these values.
    public var keys: [String] { entries.compactMap { $0["key"]?.stringValue } }
    /// The removed keys.
    public var removed: [String] { entries.filter { $0["deleted"] == true }.compactMap { $0["key"]?.stringValue } }
    /// Hints about changes that may be unintended.
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
