public import AlmanacJSON

extension RemoteEnvironment {
    /// Fetches the proposals, newest first, without their edits and reviews.
    public func proposals(_ filter: HistoryFilter) throws(CallFailure) -> [JSONObject] {
        try send("GET", ["proposals"], query: filter.pairs).list()
    }

    /// Fetches a proposal with its edits, its reviews and the forecast of its release.
    public func proposal(_ number: String) throws(CallFailure) -> JSONObject {
        try send("GET", ["proposals", number]).object()
    }

    /// Fetches what will change by itself: proposals with a time, ramps and times of flags, earliest first.
    public func calendar() throws(CallFailure) -> JSONObject { try send("GET", ["calendar"]).object() }

    /// Takes a step of a proposal's author.
    ///
    /// - Parameter step: `submit`, `recall` or `withdraw`.
    public func take(_ step: String, with number: String) throws(CallFailure) -> JSONObject {
        let version = try proposal(number)["version"]?.description ?? ""
        return try send("POST", ["proposals", number, step], headers: headers(nil, "\"\(version)\"")).object()
    }

    /// Approves, rejects or comments a proposal.
    ///
    /// - Parameters:
    ///   - verdict: `approve`, `reject` or `comment`.
    ///   - effect: the effect that the reviewer saw; nil for the present one.
    public func review(
        _ number: String, _ verdict: String, message: String?, effect: String?
    ) throws(CallFailure) -> JSONObject {
        var body: [(name: String, value: JSONValue)] = [("verdict", .string(verdict))]
        if let message { body.append(("message", .string(message))) }
        let tag = verdict == "comment" ? nil : try tag(of: number, effect)
        return try send(
            "POST", ["proposals", number, "reviews"], headers: headers(nil, tag), json: .object(JSONObject(body))
        ).object()
    }

    /// Makes the release of a proposal.
    ///
    /// - Parameter effect: the effect that the caller saw; nil for the present one.
    public func apply(proposal number: String, effect: String?) throws(CallFailure) -> WriteOutcome {
        let tag = try tag(of: number, effect)
        return try WriteOutcome(send("POST", ["proposals", number, "apply"], headers: headers(nil, tag)))
    }

    private func tag(of number: String, _ effect: String?) throws(CallFailure) -> String {
        if let effect { return "\"\(effect)\"" }
        return "\"\(try proposal(number)["effect"]?.stringValue ?? "")\""
    }
}
