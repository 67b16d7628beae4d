internal import AlmanacClientRuntime

/// An evaluation context: the attributes for targeting rules and the key for splits.
///
/// ```swift
/// let context = FlagContext(targetingKey: user.id, ["plan": "pro", "appVersion": "3.2.1"])
/// ```
public struct FlagContext: Sendable, Hashable {
    /// The id of the user or device, on which splits and ramps are based.
    public var targetingKey: String?
    /// The attributes for targeting rules.
    public var attributes: [String: FlagData]

    /// Creates a context. An empty context describes an anonymous user.
    public init(targetingKey: String? = nil, _ attributes: [String: FlagData] = [:]) {
        self.targetingKey = targetingKey
        self.attributes = attributes
    }

    /// The JSON object for the server. Equal contexts have equal texts.
    var json: String {
        var members = attributes
        if let targetingKey { members["targetingKey"] = .string(targetingKey) }
        return FlagData.object(members).text.json
    }

    /// Compares the JSON that the server receives.
    public static func == (one: FlagContext, other: FlagContext) -> Bool {
        one.json.utf8.elementsEqual(other.json.utf8)
    }

    /// Hashes the JSON that the server receives.
    public func hash(into hasher: inout Hasher) { JSONText(checked: json).hash(into: &hasher) }
}
