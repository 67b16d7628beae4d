/// How far a device is known to be level with the server.
public enum SyncState: Sendable, Hashable {
    /// Nothing was asked of the server since the store was opened.
    case waiting
    case syncing
    /// Everything here was on the server, and everything there was here, when last looked.
    case level
    /// The last attempt failed.
    case failed(SyncFailure)
}
