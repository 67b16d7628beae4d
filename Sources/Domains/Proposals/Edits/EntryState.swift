public import AlmanacJSON

/// A config entry as proposals see it: its value, its kind and its description.
public struct EntryState: Sendable, Equatable {
    public var value: JSONValue
    public var kind: Kind
    public var description: String

    /// The kind of an entry, by its name in the API.
    public enum Kind: String, Sendable {
        case value, flag
        case flagSet = "flag-set"

        /// The members of a definition whose own members are separate parts.
        var grouping: [String] {
            switch self {
            case .value: []
            case .flag: ["variants", "metadata"]
            case .flagSet: ["$evaluators"]
            }
        }

        /// The members of a definition that are one part each.
        var single: [String] {
            switch self {
            case .value: []
            case .flag: ["state", "defaultVariant", "targeting"]
            case .flagSet: ["fractional"]
            }
        }
    }

    public init(value: JSONValue, kind: Kind = .value, description: String = "") {
        self.value = value
        self.kind = kind
        self.description = description
    }

    public static func == (left: EntryState, right: EntryState) -> Bool {
        left.kind == right.kind && left.value == right.value
            && left.description.utf8.elementsEqual(right.description.utf8)
    }
}
