extension RemoteEnvironment {
    /// Asks as a user, and throws what the server has against that.
    public func checkUser() throws(CallFailure) {
        try send("GET", ["notes"], query: [("limit", "1")])
    }
}
