public import AlmanacJSON

/// An event for hooks.
public struct HookEvent: Sendable {
    /// The types of events, which a hook can choose from.
    public enum Kind: String, Sendable, CaseIterable {
        case releaseCreated = "release.created"
        case proposalSubmitted = "proposal.submitted"
        case proposalApproved = "proposal.approved"
        case proposalRejected = "proposal.rejected"
        case proposalChanged = "proposal.changed"
        case proposalConflicted = "proposal.conflicted"
        case proposalFailed = "proposal.failed"
        case proposalMissed = "proposal.missed"
        case proposalApplied = "proposal.applied"
        case proposalBypassed = "proposal.bypassed"
        case proposalWithdrawn = "proposal.withdrawn"
        case proposalExpiring = "proposal.expiring"
        case flagDisabled = "flag.disabled"
        case tokenExpiring = "token.expiring"
        case hookDisabled = "hook.disabled"
        /// The event by which an administrator tries a hook, whatever types it takes.
        case hookTest = "hook.test"
    }

    /// The subject of an event, which makes its id unique together with the lineage and the kind.
    public enum Subject: Sendable, Equatable {
        case revision(Int64)
        case proposal(Int64, version: Int64)
        case token(String)
        /// A hook and the time at which it was disabled, in milliseconds since 1970.
        case hook(String, since: Int64)
    }

    /// A key that an event names, with its value before and after. A missing value is nil.
    public struct Change: Sendable {
        public let key: String
        public let before: JSONValue?
        public let after: JSONValue?

        public init(key: String, before: JSONValue? = nil, after: JSONValue? = nil) {
            self.key = key
            self.before = before
            self.after = after
        }
    }

    public let kind: Kind
    /// The time of the event in RFC 3339.
    public let timestamp: String
    public let environment: String
    let facts: JSONObject
    public var revision: Int64?
    public var previousRevision: Int64?
    public var version: String?
    public var author: String?
    public var message: String?
    /// The address of the subject in the console.
    public var address: String?
    public var changes: [Change] = []

    /// Creates an event. A release's other members can be set afterwards.
    ///
    /// - Parameter facts: The members of `data` of an event that is no release.
    public init(_ kind: Kind, at timestamp: String, environment: String, facts: JSONObject = JSONObject()) {
        self.kind = kind
        self.timestamp = timestamp
        self.environment = environment
        self.facts = facts
    }

    /// The limit on the JSON of all changes with values, in bytes.
    public static let changesByteLimit = 20_000

    /// Returns the id of an event, equal for all deliveries of the event and unlike that of any other. It has no full
    /// stop, which separates the parts of a signed text.
    ///
    /// - Parameter key: The key, if a subject has an event for each of its keys.
    public static func id(_ kind: Kind, of subject: Subject, lineage: String, key: String? = nil) -> String {
        let name =
            switch subject {
            case .revision(let revision): "r\(revision)"
            case .proposal(let number, let version): "p\(number):\(version)"
            case .token(let id): "t\(id)"
            case .hook(let id, let since): "h\(id):\(since)"
            }
        return ([lineage, name, kind.rawValue] + (key.map { [$0] } ?? [])).joined(separator: ":")
            .replacing(".", with: ":")
    }

    /// Returns the JSON body. Values that together exceed the limit are left out, and all values if they are secret.
    public func body(withValues: Bool = true) -> JSONValue {
        let full = JSONValue.array(changes.map(\.document))
        let isComplete = withValues && full.serialized().count <= Self.changesByteLimit
        let keys = changes.map { JSONValue.object(JSONObject([("key", .string($0.key))])) }
        let members: [(name: String, value: JSONValue?)] = [
            ("environment", .string(environment)),
            ("revision", revision.map { .number(JSONNumber($0)) }),
            ("previous_revision", previousRevision.map { .number(JSONNumber($0)) }),
            ("version", version.map { .string($0) }),
            ("author", author.map { .string($0) }),
            ("message", message.map { .string($0) }),
            ("address", address.map { .string($0) }),
            ("changes", changes.isEmpty ? nil : isComplete ? full : .array(keys)),
        ]
        let data = JSONObject(
            members.compactMap { member in member.value.map { (member.name, $0) } } + facts.members)
        return .object(
            JSONObject([
                ("type", .string(kind.rawValue)), ("timestamp", .string(timestamp)), ("data", .object(data)),
            ]))
    }
}

extension HookEvent.Change {
    fileprivate var document: JSONValue {
        let members: [(name: String, value: JSONValue?)] = [
            ("key", .string(key)), ("before", before), ("after", after),
        ]
        return .object(JSONObject(members.compactMap { member in member.value.map { (member.name, $0) } }))
    }
}
