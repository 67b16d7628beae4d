/// The name of a token's scope.
public enum ScopeName {
    /// The prefix before the keys that may be changed: `config:write:app.banner.*`.
    public static let keysPrefix = "config:write:"
    /// The prefix before the keys whose changes may be approved: `config:approve:pay.*`.
    public static let approvedKeysPrefix = "config:approve:"
    /// The prefix before the key of the flag that may be switched off: `flags:disable:checkout`.
    public static let disabledKeyPrefix = "flags:disable:"
    /// The scopes without keys.
    public static let whole = [
        "flags:evaluate", "config:read", "config:write", "config:propose", "config:approve", "config:bypass", "admin",
    ]

    public static func isValid(_ text: String) -> Bool {
        whole.contains(text)
            || [keysPrefix, approvedKeysPrefix].contains { prefix in
                text.hasPrefix(prefix) && EntryKeyPattern.isValid(text.dropFirst(prefix.count))
            }
            || text.hasPrefix(disabledKeyPrefix) && EntryKey.isValid(text.dropFirst(disabledKeyPrefix.count))
    }

    /// The forms of all scopes, for messages.
    public static let forms =
        whole.joined(separator: ", ")
        + ", config:write:KEY, config:write:PREFIX*, config:approve:KEY, config:approve:PREFIX*, flags:disable:KEY"
}

/// The role of a person: a name for some scopes.
public enum Role: String, Sendable, CaseIterable {
    case viewer, editor, approver, admin

    /// The names of the role's scopes.
    public var scopes: [String] {
        switch self {
        case .viewer: ["config:read"]
        case .editor: Role.viewer.scopes + ["config:write", "config:propose"]
        case .approver: Role.editor.scopes + ["config:approve"]
        case .admin: Role.editor.scopes + ["admin"]
        }
    }
}
