public import AlmanacJSON

extension HTTPClient {
    /// Sends a request with a JSON value as its body and waits for the whole answer.
    public func send(
        _ method: String, _ path: String, headers: [(String, String)] = [], json: JSONValue
    ) throws(HTTPFailure) -> HTTPAnswer {
        try send(method, path, headers: headers, body: json.serialized())
    }
}
