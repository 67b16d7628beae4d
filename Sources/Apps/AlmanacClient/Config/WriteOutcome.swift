public import AlmanacJSON

/// What the server says of a write: the revision and version that the config is at now, and what was changed.
public struct WriteOutcome: Sendable {
    /// The answer as it came.
    public let document: JSONObject

    public var revision: Int64 { document["revision"]?.numberValue?.int64 ?? 0 }
    public var version: String { document["version"]?.stringValue ?? "" }
    /// The keys that were changed; none when the config was so already.
    public var keys: [String] {
        document["entries"]?.arrayValue?.compactMap { $0.objectValue?["key"]?.stringValue } ?? []
    }
}
