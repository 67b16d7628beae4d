public import AlmanacJSON

extension RemoteEnvironment {
    /// Fetches the people of the environment. Needs the scope admin.
    public func people() throws(CallFailure) -> [JSONObject] { try send("GET", ["people"]).list() }

    /// Creates an invitation, whose link only the response has. Needs the scope admin.
    ///
    /// - Parameter invitation: the members `name` and `role`, and `person` for a known person's new passkey.
    public func invite(_ invitation: JSONObject) throws(CallFailure) -> JSONObject {
        try send("POST", ["invitations"], json: .object(invitation)).object()
    }
}
