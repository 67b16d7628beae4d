internal import AlmanacForms

/// A permission that a token carries.
public enum Scope: Hashable, Sendable {
    /// Asking what flags are for somebody, without seeing their rules.
    case flagsEvaluate
    case configRead
    case configWrite
    /// Changing the entries of some keys, and reading all.
    case configWriteOf(KeyPattern)
    case admin

    /// Whether a token with this scope may do what the other one allows: each includes those before it.
    public func includes(_ other: Scope) -> Bool {
        switch (self, other) {
        case (.admin, _), (.configWrite, .configRead), (.configWrite, .configWriteOf), (.configWriteOf, .configRead),
            (.configRead, .flagsEvaluate), (.configWrite, .flagsEvaluate), (.configWriteOf, .flagsEvaluate):
            true
        default: self == other
        }
    }
}

extension Scope: RawRepresentable {
    /// Nil for a text that is no scope.
    public init?(rawValue: String) {
        switch rawValue {
        case "flags:evaluate": self = .flagsEvaluate
        case "config:read": self = .configRead
        case "config:write": self = .configWrite
        case "admin": self = .admin
        default:
            guard rawValue.hasPrefix(ScopeName.keysPrefix),
                let keys = KeyPattern(String(rawValue.dropFirst(ScopeName.keysPrefix.count)))
            else { return nil }
            self = .configWriteOf(keys)
        }
    }

    /// As the database, a `scope` claim and the command line have it: `config:write:app.banner.*`.
    public var rawValue: String {
        switch self {
        case .flagsEvaluate: "flags:evaluate"
        case .configRead: "config:read"
        case .configWrite: "config:write"
        case .configWriteOf(let keys): ScopeName.keysPrefix + keys.text
        case .admin: "admin"
        }
    }
}

extension Scope: CaseIterable {
    /// Those that hold for every key.
    public static let allCases: [Scope] = [.flagsEvaluate, .configRead, .configWrite, .admin]

    /// All of them, for messages.
    public static let names =
        allCases.map(\.rawValue).joined(separator: ", ") + ", config:write:KEY, config:write:PREFIX*"
}

/// Some keys of the config: one, or all that begin alike.
public struct KeyPattern: Hashable, Sendable {
    /// As it was written: `app.banner`, `app.banner.*`.
    public let text: String

    /// Nil for a text that fits no key, and for a star alone: a scope for all keys has none.
    public init?(_ text: String) {
        guard EntryKeyPattern.isValid(text) else { return nil }
        self.text = text
    }

    func includes(_ key: String) -> Bool {
        text.utf8.last == UInt8(ascii: "*") ? key.utf8.starts(with: text.utf8.dropLast()) : key == text
    }
}

/// The keys whose entries somebody may change.
public enum ChangeableKeys: Hashable, Sendable {
    case all
    case some([KeyPattern])

    public func includes(_ key: String) -> Bool {
        switch self {
        case .all: true
        case .some(let patterns): patterns.contains { $0.includes(key) }
        }
    }

    /// How they are written, for messages.
    public var names: [String] {
        switch self {
        case .all: ["*"]
        case .some(let patterns): patterns.map(\.text)
        }
    }
}
