internal import AlmanacJSON

/// A release that is judged by its effect, whatever call makes it.
public struct ReleaseEffect: Sendable {
    /// The change of each key.
    public let changes: [(key: String, before: EntryState?, after: EntryState?)]
    public let undone: Undone?

    /// The newest release, which this one would undo.
    public struct Undone: Sendable {
        /// The changes of the newest release.
        public let changes: [(key: String, before: EntryState?, after: EntryState?)]
        /// The age of the newest release in seconds.
        public let age: Int64
        /// True if the newest release was an undo itself.
        public let isUndo: Bool

        public init(
            changes: [(key: String, before: EntryState?, after: EntryState?)], age: Int64, isUndo: Bool
        ) {
            self.changes = changes
            self.age = age
            self.isUndo = isUndo
        }
    }

    public init(changes: [(key: String, before: EntryState?, after: EntryState?)], undone: Undone?) {
        self.changes = changes
        self.undone = undone
    }

    /// The age in seconds up to which the newest release may be undone.
    public static let maxUndoAge: Int64 = 30 * 60

    /// Returns the exemption that covers the release, or nil.
    public func exemption(in policy: ApprovalPolicy) -> ApprovalPolicy.Exemption? {
        if policy.exemptions.contains(.disable), onlyDisables { return .disable }
        if policy.exemptions.contains(.undo), onlyUndoes { return .undo }
        return nil
    }

    /// True if flags are switched off and nothing else changes.
    public var onlyDisables: Bool {
        !changes.isEmpty
            && changes.allSatisfy { change in
                guard let before = change.before, let after = change.after, before.kind == .flag, after.kind == .flag
                else { return false }
                return before.state != after.state && after.state == "DISABLED"
                    && before.setting([(.member("state"), after.state)]) == after
            }
    }

    /// True if the newest release is recent, was no undo, and each of its changes goes back without a flag going on.
    private var onlyUndoes: Bool {
        guard let undone, !undone.isUndo, (0...Self.maxUndoAge).contains(undone.age),
            changes.count == undone.changes.count, !changes.isEmpty
        else { return false }
        let original = Dictionary(undone.changes.map { ($0.key, $0) }) { first, _ in first }
        return changes.allSatisfy { change in
            guard let made = original[change.key], change.before == made.after, change.after == made.before else {
                return false
            }
            return change.before?.isEnabled == true || change.after?.isEnabled != true
        }
    }
}

extension EntryState {
    fileprivate var state: JSONValue? { value.objectValue?["state"] }

    /// True for a flag that is switched on.
    fileprivate var isEnabled: Bool { kind == .flag && state == "ENABLED" }
}
