/// What another session said with `NOTIFY` on a channel that this one listens to.
public struct Notification: Hashable, Sendable {
    public let channel: String
    /// Empty when the sender gave none.
    public let payload: String
    /// The number of the server's process for the sender's session.
    public let processID: Int32
}
