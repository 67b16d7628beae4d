import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport

/// A reader that builds a copy of the server's state from events, over any number of streams.
protocol EventsFollower: Sendable {
    var revision: Int64 { get }
    func open(last: String?) throws -> EventStream
    /// Stores the position at which the first stream begins, before any change.
    mutating func begin(_ hello: SentEvent)
    /// Applies an event to the copy. Throws if the event does not follow the previous one.
    mutating func apply(_ event: SentEvent) throws
    /// Throws if the copy differs from the server's state.
    mutating func compare() throws
}

extension EventsFollower {
    /// Reads events up to a revision that becomes known only later. Reconnects whenever a stream ends.
    ///
    /// - Parameters:
    /// - target: the last revision, or nil while changes are being made.
    /// - cuts: `true` to cut streams at random.
    /// - Returns: the number of streams, and the server's reasons for ending streams.
    mutating func follow(
        until target: Monitor<Int64?>, cuts: Bool, seed: UInt64, within limit: Duration, onBegin: () -> Void
    ) throws -> (streams: Int, byeReasons: [String]) {
        var random = Randomness(seed: seed)
        let deadline = ContinuousClock.now + limit
        var lastEventID: String?
        var streams = 0
        var byeReasons: [String] = []
        while true {
            guard ContinuousClock.now < deadline else {
                throw UnexpectedResult("received no more than \(revision), last \(lastEventID ?? "-")")
            }
            let stream = try open(last: lastEventID)
            streams += 1
            var remainingEvents = cuts ? Int.random(in: 1...150, using: &random) : .max
            while remainingEvents > 0, ContinuousClock.now < deadline {
                if let target = target.read({ $0 }), revision >= target { return (streams, byeReasons) }
                guard let event = try stream.next(within: .milliseconds(500)) else {
                    if stream.ends(within: .zero) { break }
                    continue
                }
                remainingEvents -= 1
                if lastEventID == nil {
                    begin(event)
                    onBegin()
                }
                if let id = event.id { lastEventID = id }
                switch event.type {
                case "hello", "ping": break
                case "bye": byeReasons.append(event.text("reason") ?? "")
                case "resync": throw UnexpectedResult("a resync at \(revision): \(event)")
                default: try apply(event)
                }
            }
            stream.cut()
            // The stream was refused or ended early, so wait before the retry to spare the processor.
            if remainingEvents == .max || stream.status(within: .zero) != 200 {
                _ = target.wait(upTo: .milliseconds(100)) { _ in Bool?.none }
            }
        }
    }
}

/// Sends a request until it is answered, while services are killed and restarted.
func untilAnswered(_ send: () throws -> HTTPResponse) throws -> HTTPResponse {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
        let answer = try? send()
        if let answer, answer.status < 300 { return answer }
        if let answer, ![502, 503, 504].contains(answer.status) {
            throw UnexpectedResult("\(answer.status) \(answer.text)")
        }
        guard ContinuousClock.now < deadline else { throw UnexpectedResult("never answered") }
    }
}

/// A copy of an environment's config, as an app holds it.
struct ConfigFollower: EventsFollower {
    let environment: LiveEnvironment
    private(set) var revision: Int64
    private var fetched: Int64
    private var entries: [String: JSONValue]

    mutating func begin(_ hello: SentEvent) {
        // The process may not have read the last release yet. The stream then contains that release.
        let position = hello.id?.split(separator: "=").last?.prefix { $0 != "." }
        revision = position.flatMap { Int64($0) } ?? -1
    }

    init(_ environment: LiveEnvironment) throws {
        self.environment = environment
        let answer = try environment.client().send("GET", environment.path("config"))
        revision = answer.revision ?? -1
        fetched = revision
        entries = [:]
        for entry in try answer.entries() { entries[entry.key] = entry.value }
    }

    func open(last: String?) throws -> EventStream { try environment.stream(last: last) }

    mutating func apply(_ event: SentEvent) throws {
        guard event.type == "refetchEvaluation" else { return }
        guard event.number("revision") == revision + 1 else {
            throw UnexpectedResult("after release \(revision) came \(event)")
        }
        revision += 1
    }

    mutating func compare() throws {
        let client = environment.client()
        let changes = try untilAnswered { try client.send("GET", environment.path("config?since=\(fetched)")) }
        for entry in try changes.entries() { entries[entry.key] = entry.value }
        let all = try untilAnswered { try client.send("GET", environment.path("config.json")) }
        guard all.revision == revision,
            try all.json() == .object(JSONObject(entries.map { (name: $0.key, value: $0.value) }))
        else { throw UnexpectedResult("not the config at \(revision): \(entries)") }
    }
}

/// A copy of a user's notes, built from the deltas in events only.
struct NotesFollower: EventsFollower {
    let user: NotesUser
    private(set) var revision: Int64 = 0
    /// The bodies of all notes, also in the trash, because an edit may restore a note.
    private var bodies: [String: String] = [:]
    private var trash: Set<String> = []

    init(_ user: NotesUser) { self.user = user }

    mutating func begin(_ hello: SentEvent) {}

    func open(last: String?) throws -> EventStream { try user.stream(last: last) }

    mutating func apply(_ event: SentEvent) throws {
        guard event.type.hasPrefix("note"), let id = event.text("id") else { return }
        guard event.number("revision") == revision + 1 else {
            throw UnexpectedResult("after action \(revision) came \(event)")
        }
        revision += 1
        if event.type == "noteDeleted" { trash.insert(id) } else if event.type != "notesReordered" { trash.remove(id) }
        guard let delta = event.data["body"]?.arrayValue else { return }
        var unreadText = (bodies[id] ?? "")[...]
        var body = ""
        for part in delta {
            if let text = part.stringValue {
                body += text
            } else if let length = part.numberValue?.int64.map({ Int($0) }) {
                if length > 0 { body += unreadText.prefix(length) }
                unreadText = unreadText.dropFirst(abs(length))
            }
        }
        guard unreadText.isEmpty else {
            throw UnexpectedResult("a delta for another text than \(bodies[id] ?? "-"): \(event)")
        }
        bodies[id] = body
    }

    mutating func compare() throws {
        let answer = try untilAnswered { try user.client().send("GET", "notes") }
        let details = answer["details"]?.objectValue?.members ?? []
        let theirs = Dictionary(
            uniqueKeysWithValues: details.map { ($0.name, $0.value.objectValue?.text("body") ?? "") })
        guard answer.revision == revision, theirs == bodies.filter({ !trash.contains($0.key) })
        else { throw UnexpectedResult("not the notes at \(revision): \(bodies)") }
    }
}
