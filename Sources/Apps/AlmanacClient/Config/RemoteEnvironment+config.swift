internal import AlmanacHTTPSClient
public import AlmanacJSON

/// The config calls.
extension RemoteEnvironment {
    /// The whole config.
    ///
    /// - Parameters:
    ///   - at: a revision of the past.
    ///   - version: the major, or version, that it is to be seen as.
    ///   - least: a revision that the answer must have reached.
    public func state(
        at revision: String? = nil, version: String? = nil, atLeast least: String? = nil
    ) throws(CallFailure) -> ConfigState {
        let answer = try send(
            "GET", ["config.json"], query: pairs(("at", revision), ("version", version)),
            headers: least.map { [("Almanac-Min-Revision", $0)] } ?? [])
        return ConfigState(
            values: try object(answer), tag: answer.header("ETag"),
            revision: answer.header("Almanac-Revision").flatMap { Int64($0) },
            version: answer.header("Almanac-Version"))
    }

    /// The config as one object, its keys split at their dots.
    public func nestedState(at revision: String?, version: String?) throws(CallFailure) -> JSONObject {
        try object(
            send("GET", ["config.json"], query: pairs(("nested", "true"), ("at", revision), ("version", version))))
    }

    /// The entries, with the time each was changed, ordered by key.
    public func entries(at revision: String?, version: String?) throws(CallFailure) -> [JSONObject] {
        try list(send("GET", ["config"], query: pairs(("at", revision), ("version", version))))
    }

    /// One entry, with its description and revision.
    public func entry(_ key: String, version: String?) throws(CallFailure) -> (entry: JSONObject, tag: String?) {
        let answer = try send("GET", ["config", key], query: pairs(("version", version)))
        return (try object(answer), answer.header("ETag"))
    }

    /// Creates or replaces one entry.
    ///
    /// - Parameters:
    ///   - description: nil leaves it as it is.
    ///   - tag: of the state that the write is based on; nil writes in any case.
    public func set(
        _ key: String, to value: JSONValue, description: String?, message: String?, ifMatch tag: String? = nil
    ) throws(CallFailure) -> WriteOutcome {
        var body: [(name: String, value: JSONValue)] = [("value", value)]
        if let description { body.append(("description", .string(description))) }
        return try outcome(
            send("PUT", ["config", key], headers: headers(message, tag), json: .object(JSONObject(body))))
    }

    /// Makes the changes in one release.
    public func apply(
        _ difference: ConfigDifference, message: String?, ifMatch tag: String?
    ) throws(CallFailure) -> WriteOutcome {
        try outcome(send("PATCH", ["config"], headers: headers(message, tag), json: try difference.patch()))
    }

    /// What would make this environment's config equal to another's.
    ///
    /// - Returns: also the tag of the state that is to be changed.
    public func difference(
        toEqual other: RemoteEnvironment
    ) throws(CallFailure) -> (difference: ConfigDifference, tag: String?) {
        guard isBeside(other) else {
            let (here, there) = (try state(), try other.state())
            return (ConfigDifference(from: here.values, to: there.values), here.tag)
        }
        // The server looks at the newest state of both, whatever its caches hold.
        let answer = try send(
            "GET", ["diff", other.name],
            headers: other.token.map { [("Almanac-Other-Authorization", "Bearer \($0.text)")] } ?? [])
        let here = try state(atLeast: answer.header("Almanac-Cursor"))
        return (
            ConfigDifference(patching: here.values, with: try object(answer)), answer.header("ETag")
        )
    }

    /// The releases, newest first.
    public func releases(limit: String?, before: String?) throws(CallFailure) -> [JSONObject] {
        try list(send("GET", ["releases"], query: pairs(("limit", limit), ("before", before))))
    }

    /// What became of one key, newest first.
    public func history(of key: String, limit: String?, before: String?) throws(CallFailure) -> [JSONObject] {
        try list(send("GET", ["config", key, "history"], query: pairs(("limit", limit), ("before", before))))
    }

    /// Makes the config what it was at a revision, as a new release.
    public func restore(_ revision: String, message: String?) throws(CallFailure) -> WriteOutcome {
        try outcome(send("POST", ["releases", revision, "restore"], headers: headers(message, nil)))
    }

    private func headers(_ message: String?, _ tag: String?) -> [(name: String, value: String)] {
        (message.map { [("Almanac-Message", $0)] } ?? []) + (tag.map { [("If-Match", $0)] } ?? [])
    }

    private func outcome(_ answer: WebAnswer) throws(CallFailure) -> WriteOutcome {
        WriteOutcome(document: try object(answer))
    }
}
