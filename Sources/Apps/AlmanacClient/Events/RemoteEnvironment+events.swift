internal import AlmanacHTTPSClient
internal import AlmanacJSON

/// What has become of a config since a cursor.
struct ConfigDelta {
    let entries: [JSONObject]
    /// The entries are the whole config.
    let isFull: Bool
    let cursor: String
    let revision: Int64
    let version: String
}

extension RemoteEnvironment {
    /// The newest cursor of the config.
    func cursor() throws(CallFailure) -> String {
        try head(of: send("GET", ["config"], query: [("since", "0")])).cursor
    }

    /// - Parameter least: a cursor that the answer must have reached.
    func delta(since cursor: String, atLeast least: String?) throws(CallFailure) -> ConfigDelta {
        let answer = try send(
            "GET", ["config"], query: [("since", cursor)],
            headers: least.map { [("Almanac-Min-Revision", $0)] } ?? [])
        let head = try head(of: answer)
        return ConfigDelta(
            entries: try list(answer), isFull: answer.header("Almanac-Full") == "true", cursor: head.cursor,
            revision: head.revision, version: answer.header("Almanac-Version") ?? "")
    }

    /// Opens the event stream and reads it until it ends, or `receive` would not go on.
    func stream(
        lastEventID: String, silence: Duration, _ receive: @escaping ([UInt8]) -> Bool
    ) throws(CallFailure) {
        var request = request("GET", ["events"])
        request.headers.append((name: "Accept", value: "text/event-stream"))
        if !lastEventID.isEmpty { request.headers.append((name: "Last-Event-ID", value: lastEventID)) }
        try open(request, silence: silence, receive)
    }

    private func head(of answer: WebAnswer) throws(CallFailure) -> (cursor: String, revision: Int64) {
        guard let cursor = answer.header("Almanac-Cursor"),
            let revision = answer.header("Almanac-Revision").flatMap({ Int64($0) })
        else { throw Self.unexpected }
        return (cursor, revision)
    }
}
