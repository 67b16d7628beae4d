/// What a token may do.
public enum Scope: String, CaseIterable, Sendable {
    case configRead = "config:read"
    case configWrite = "config:write"
    case admin

    /// Whether who has this scope may do what the other one allows: each includes those before it.
    public func includes(_ other: Scope) -> Bool {
        switch (self, other) {
        case (.admin, _), (.configWrite, .configRead): true
        default: self == other
        }
    }
}
