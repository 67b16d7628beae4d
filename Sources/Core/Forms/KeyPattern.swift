/// A pattern for keys of the config: one key, or a common prefix.
public struct KeyPattern: Hashable, Sendable {
    /// The pattern as written: `app.banner`, `app.banner.*`.
    public let text: String

    /// Nil if the text can't match a key, and for a star alone, because the scope for all keys has no pattern.
    public init?(_ text: String) {
        guard EntryKeyPattern.isValid(text) else { return nil }
        self.text = text
    }

    public func includes(_ key: String) -> Bool {
        text.utf8.last == UInt8(ascii: "*")
            ? key.utf8.starts(with: text.utf8.dropLast()) : key.utf8.elementsEqual(text.utf8)
    }

    /// Returns true if each key of another pattern matches this one too.
    fileprivate func includes(_ other: KeyPattern) -> Bool {
        includes(other.text) && (text.utf8.last == UInt8(ascii: "*") || text.utf8.elementsEqual(other.text.utf8))
    }
}

/// The keys that a scope or a policy is about.
public enum KeySelection: Hashable, Sendable {
    case all
    case some([KeyPattern])

    public func includes(_ key: String) -> Bool {
        switch self {
        case .all: true
        case .some(let patterns): patterns.contains { $0.includes(key) }
        }
    }

    /// Reads patterns as `names` writes them. Ignores what is no pattern.
    public init(names: [String]) {
        self = names == ["*"] ? .all : .some(names.compactMap { KeyPattern($0) })
    }

    /// Returns the keys that are in both selections.
    public func intersection(_ other: KeySelection) -> KeySelection {
        guard case .some(let own) = self else { return other }
        guard case .some(let others) = other else { return self }
        return .some(
            own.filter { pattern in others.contains { $0.includes(pattern) } }
                + others.filter { pattern in own.contains { $0.includes(pattern) && $0 != pattern } })
    }

    /// The patterns as text, for messages.
    public var names: [String] {
        switch self {
        case .all: ["*"]
        case .some(let patterns): patterns.map(\.text)
        }
    }
}
