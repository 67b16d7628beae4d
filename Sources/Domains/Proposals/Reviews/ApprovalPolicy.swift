public import AlmanacForms

/// The approvals that releases of an environment need, from the environments file.
public struct ApprovalPolicy: Sendable, Equatable {
    /// The number of approvals of each changed key that no rule covers.
    public var required: Int
    public var rules: [Rule] = []
    /// The releases that need no approval.
    public var exemptions: Set<Exemption> = Set(Exemption.allCases)
    /// The days without a change after which an open proposal is closed.
    public var expiryDays = 14
    /// The minutes after which a due proposal is too late to be applied.
    public var lateMinutes = 60

    /// More approvals for some keys.
    public struct Rule: Sendable, Equatable {
        public let keys: KeyPattern
        public let required: Int

        public init(keys: KeyPattern, required: Int) {
            self.keys = keys
            self.required = required
        }
    }

    /// A kind of release that needs no approval.
    public enum Exemption: String, Sendable, CaseIterable {
        /// A release that only switches flags off.
        case disable
        /// A release that undoes the newest one soon after it.
        case undo
    }

    public init(required: Int) { self.required = required }

    /// Returns the number of approvals that a key needs: the highest of the matching rules.
    public func required(for key: String) -> Int {
        rules.filter { $0.keys.includes(key) }.map(\.required).max() ?? required
    }
}
