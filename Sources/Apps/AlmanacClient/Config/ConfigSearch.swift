public import AlmanacJSON

/// A text to look for in a config, whatever its case.
public struct ConfigSearch: Sendable {
    /// Where to look.
    public enum Place: Sendable, CaseIterable {
        case keys
        case values
    }

    private let text: String
    private let places: Set<Place>

    public init(_ text: String, in places: Set<Place> = Set(Place.allCases)) {
        self.text = text.lowercased()
        self.places = places
    }

    /// Whether a key, or its value, has the text in it.
    public func finds(_ key: String, _ value: JSONValue) -> Bool {
        (places.contains(.keys) && contains(key)) || (places.contains(.values) && matches(value))
    }

    /// A text is compared as it is, and anything else also as compact JSON, so that `"retries":3` can be looked for.
    private func matches(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let string): contains(string)
        case .array(let elements): elements.contains(where: matches) || contains(value.description)
        case .object(let object):
            object.members.contains { contains($0.name) || matches($0.value) } || contains(value.description)
        default: contains(value.description)
        }
    }

    private func contains(_ text: String) -> Bool { text.lowercased().contains(self.text) }
}
