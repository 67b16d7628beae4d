public import AlmanacJSON

/// The config of an environment at one moment: values by key.
public struct ConfigState: Sendable {
    public let values: JSONObject
    /// For `If-Match`: writes that are based on this state and no other.
    public let tag: String?
    public let revision: Int64?
    public let version: String?
}
