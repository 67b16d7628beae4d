public import AlmanacJSON

/// Sessions of browsers.
extension RemoteEnvironment {
    /// A code that signs a browser in once, as the bearer of the token.
    public func sessionLink() throws(CallFailure) -> JSONObject {
        try send("POST", ["session", "link"]).object()
    }

    /// The sessions of the token's bearer; all with the scope admin.
    public func sessions() throws(CallFailure) -> [JSONObject] { try send("GET", ["sessions"]).list() }

    /// Ends a session.
    public func endSession(_ id: String) throws(CallFailure) { try send("DELETE", ["sessions", id]) }
}
