internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacTimestamps
internal import AlmanacWebhooks

/// A leased delivery with all that its request needs, except the changes of a release.
struct Delivery {
    let id: Int64
    let eventID: String
    let kind: HookEvent.Kind
    /// The key of an event about one key.
    let key: String?
    let revision: Int64?
    /// The number of attempts, the leased one included.
    let attempts: Int
    let url: String
    let format: HookFormat
    /// The keys and prefixes that the hook takes; empty for all keys.
    let keys: [String]
    let secrets: [WebhookSecret]
    /// True if the hook's maker may read the values now.
    let makerReadsConfig: Bool
    private let facts: JSONObject
    private let timestamp: String
    private let version: String?
    private let author: String?
    private let message: String?

    init(_ row: Row) throws {
        id = try row.bigint("id")
        eventID = try row.text("event_id")
        key = try row.optionalText("key")
        revision = try row.optionalBigint("revision")
        attempts = try row.integer("attempts")
        url = try row.text("url")
        keys = try row.textArray("keys")
        guard let kind = HookEvent.Kind(rawValue: try row.text("type")),
            let format = HookFormat(rawValue: try row.text("format"))
        else { throw UnknownDelivery(id: id) }
        self.kind = kind
        self.format = format
        secrets = [try row.text("secret"), try row.optionalText("previous_secret")].compactMap { $0 }
            .compactMap { WebhookSecret($0) }
        func mayRead(_ column: String, ifAny isNamed: String) throws -> Bool {
            guard try row.boolean(isNamed) else { return true }
            return (try row.optionalTextArray(column) ?? []).contains {
                Scope(rawValue: $0)?.includes(.configRead) ?? false
            }
        }
        // A session that a token began acts by the token and as its owner, so both must still have the right.
        makerReadsConfig =
            try mayRead("token_scopes", ifAny: "has_token") && mayRead("person_scopes", ifAny: "has_person")
        facts = try JSONValue(parsing: try row.bytes("facts")).objectValue ?? JSONObject()
        timestamp = "\(try row.optionalTimestamp("released_at") ?? row.timestamp("created_at"))"
        version = try row.optionalText("version")
        author = try row.optionalText("author")
        message = try row.optionalText("message")
    }

    /// Returns the event, with the changes of its release.
    ///
    /// - Parameter console: The origin of the console; nil if it is unknown.
    func event(_ changes: [HookEvent.Change], in environment: String, console: String?) -> HookEvent {
        var event = HookEvent(kind, at: timestamp, environment: environment, facts: facts)
        guard let revision else { return event }
        event.revision = revision
        event.previousRevision = revision - 1
        event.version = version
        event.author = author
        event.message = message
        event.address = console.map { "\($0)/#/\(environment)/releases/\(revision)" }
        event.changes = changes
        return event
    }
}

/// The error for a delivery of another release of the program.
struct UnknownDelivery: Error, CustomStringConvertible {
    let id: Int64

    var description: String { "the delivery \(id) has an unknown type or format; expected those of this release" }
}
