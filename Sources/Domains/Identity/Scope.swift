public import AlmanacForms

/// A permission of a token.
public enum Scope: Hashable, Sendable {
    /// Permits evaluating flags for a context, without seeing their rules.
    case flagsEvaluate
    case configRead
    case configWrite
    /// Permits changing the entries of some keys, and reading all.
    case configWriteOf(KeyPattern)
    /// Permits proposing changes for approval.
    case configPropose
    /// Permits approving changes of all keys.
    case configApprove
    /// Permits approving changes of some keys.
    case configApproveOf(KeyPattern)
    /// Permits releasing a change without approval.
    case configBypass
    /// Permits switching off one flag, also without approval. Includes no reading.
    case flagDisable(_ key: String)
    case admin

    /// True for the scopes that a person has only by their own sign-in, never by a session that a token began.
    var isOfApprovals: Bool {
        switch self {
        case .configApprove, .configApproveOf, .configBypass: true
        default: false
        }
    }

    /// Returns true if this scope permits what the other one does: each scope includes those before it, except those
    /// for approvals and for switching off a flag, which no other scope includes.
    public func includes(_ other: Scope) -> Bool {
        switch (self, other) {
        case (.admin, .configApprove), (.admin, .configApproveOf), (.admin, .configBypass), (.admin, .flagDisable):
            false
        case (.admin, _), (.configWrite, .configRead), (.configWrite, .configWriteOf), (.configWrite, .configPropose),
            (.configWriteOf, .configRead), (.configRead, .flagsEvaluate), (.configWrite, .flagsEvaluate),
            (.configWriteOf, .flagsEvaluate), (.configApprove, .configApproveOf):
            true
        default: self == other
        }
    }
}

extension Scope: RawRepresentable {
    /// Nil if the text is no scope.
    public init?(rawValue: String) {
        switch rawValue {
        case "flags:evaluate": self = .flagsEvaluate
        case "config:read": self = .configRead
        case "config:write": self = .configWrite
        case "config:propose": self = .configPropose
        case "config:approve": self = .configApprove
        case "config:bypass": self = .configBypass
        case "admin": self = .admin
        default:
            if let keys = Self.keys(in: rawValue, after: ScopeName.keysPrefix) {
                self = .configWriteOf(keys)
            } else if let keys = Self.keys(in: rawValue, after: ScopeName.approvedKeysPrefix) {
                self = .configApproveOf(keys)
            } else if ScopeName.isValid(rawValue) {
                self = .flagDisable(String(rawValue.dropFirst(ScopeName.disabledKeyPrefix.count)))
            } else {
                return nil
            }
        }
    }

    private static func keys(in text: String, after prefix: String) -> KeyPattern? {
        text.hasPrefix(prefix) ? KeyPattern(String(text.dropFirst(prefix.count))) : nil
    }

    /// The scope's text in the database, in a `scope` claim and on the command line: `config:write:app.banner.*`.
    public var rawValue: String {
        switch self {
        case .flagsEvaluate: "flags:evaluate"
        case .configRead: "config:read"
        case .configWrite: "config:write"
        case .configWriteOf(let keys): ScopeName.keysPrefix + keys.text
        case .configPropose: "config:propose"
        case .configApprove: "config:approve"
        case .configApproveOf(let keys): ScopeName.approvedKeysPrefix + keys.text
        case .configBypass: "config:bypass"
        case .flagDisable(let key): ScopeName.disabledKeyPrefix + key
        case .admin: "admin"
        }
    }
}

extension Scope: CaseIterable {
    /// The scopes that apply to every key.
    public static let allCases: [Scope] = [
        .flagsEvaluate, .configRead, .configWrite, .configPropose, .configApprove, .configBypass, .admin,
    ]

    /// The forms of all scopes, for messages.
    public static let names = ScopeName.forms
}

extension [Scope] {
    /// The keys whose entries may be changed; nil for none.
    public var changeableKeys: KeySelection? {
        if contains(where: { $0.includes(.configWrite) }) { return .all }
        let patterns = compactMap { if case .configWriteOf(let keys) = $0 { keys } else { nil } }
        return patterns.isEmpty ? nil : .some(patterns)
    }

    /// The keys whose changes may be approved.
    public var approvableKeys: KeySelection {
        contains(.configApprove)
            ? .all : .some(compactMap { if case .configApproveOf(let keys) = $0 { keys } else { nil } })
    }
}
