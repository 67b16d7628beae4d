public import AlmanacJSON

/// A case-insensitive search for a text in a config.
public struct ConfigSearch: Sendable {
    /// The parts of an entry to search.
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

    /// Returns true if the key or the value contains the text.
    public func finds(_ key: String, _ value: JSONValue) -> Bool {
        (places.contains(.keys) && contains(key)) || (places.contains(.values) && matches(value))
    }

    /// Returns true if a string, or another value's compact JSON, contains the text, as in `"retries":3`.
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
