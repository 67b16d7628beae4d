internal import AlmanacClientRuntime

/// Who is asking: what rules may look at, and what splits go by.
///
/// ```swift
/// let context = FlagContext(targetingKey: user.id, ["plan": "pro", "appVersion": "3.2.1"])
/// ```
public struct FlagContext: Sendable, Hashable {
    /// What tells one user, or device, from another; splits and ramps go by it.
    public var targetingKey: String?
    /// What else rules may look at.
    public var attributes: [String: FlagData]

    /// A context; without anything, rules see nobody in particular.
    public init(targetingKey: String? = nil, _ attributes: [String: FlagData] = [:]) {
        self.targetingKey = targetingKey
        self.attributes = attributes
    }

    /// The object that the server gets, the same text for equal contexts.
    var json: String {
        var members = attributes
        if let targetingKey { members["targetingKey"] = .string(targetingKey) }
        return FlagData.object(members).text.json
    }

    /// Compares what the server would see.
    public static func == (one: FlagContext, other: FlagContext) -> Bool {
        one.json.utf8.elementsEqual(other.json.utf8)
    }

    /// Takes in what the server would see.
    public func hash(into hasher: inout Hasher) { JSONText(checked: json).hash(into: &hasher) }
}
