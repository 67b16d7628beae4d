public import AlmanacJSON

extension RemoteEnvironment {
    /// Creates a one-time code that signs a browser in as the owner of the token.
    public func sessionLink() throws(CallFailure) -> JSONObject { try send("POST", ["session", "link"]).object() }

    /// Fetches the sessions of the token's owner; with the scope admin, all sessions.
    public func sessions() throws(CallFailure) -> [JSONObject] { try send("GET", ["sessions"]).list() }

    /// Ends a session.
    public func endSession(_ id: String) throws(CallFailure) { try send("DELETE", ["sessions", id]) }
}
