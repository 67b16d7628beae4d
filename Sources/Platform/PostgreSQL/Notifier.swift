internal import AlmanacPOSIX

/// A sender of notifications to listening sessions about committed changes.
///
/// `NOTIFY` in a write transaction would serialize all commits of the database. A thread with its own connection
/// therefore sends the notifications in batches, without waiting for the disk. After a pause, the first announcement is
/// sent at once; in a steady flow, announcements are batched for up to 5 ms, because a batch costs the server about as
/// much as a write. While the database is away, announcements stay pending, and the thread retries after 0.1 s with a
/// backoff up to 5 s. An announcement may get lost (a crash, too many pending), so listeners also poll occasionally.
public final class Notifier: Sendable {
    private let state = Monitor(State())
    private let thread: Thread

    private struct State {
        var pending = Announcements()
        /// The deadline for sending pending announcements, set when the notifier stops.
        var end: ContinuousClock.Instant?
        var counts = (sent: 0, failures: 0)
    }

    /// - Parameter onFailure: A closure called on the notifier's thread for each failed attempt.
    public init(
        _ settings: ConnectionSettings, threadName: String,
        onFailure: @escaping @Sendable (PostgresFailure) -> Void = { _ in }
    ) {
        let state = state
        thread = Thread(name: threadName) {
            Self.work(state, settings, onFailure)
        }
    }

    deinit { state.update { $0.end = $0.end ?? .now } }

    /// Announces that a subject of a channel has reached a revision, and returns at once.
    ///
    /// Only the highest pending revision of a subject is sent. The payload is `43`, or `alice 43` with the scope
    /// `alice`.
    ///
    /// - Parameters:
    ///   - channel: The channel, at most 63 bytes.
    ///   - scope: The changed subject, at most 7 KB, which is the limit of a notification.
    public func announce(channel: String, scope: String = "", revision: Int64) {
        state.update { $0.pending.add(Announcements.Subject(channel: channel, scope: scope), revision: revision) }
    }

    /// The number of sent notifications and of failed attempts.
    public var counts: (sent: Int, failures: Int) { state.read(\.counts) }

    /// Sends pending announcements for at most 2 s, and ends the thread.
    public func stop() {
        let limit = Duration.seconds(2)
        state.update { $0.end = $0.end ?? .now + limit }
        thread.wait(upTo: limit)
    }

    private static func work(
        _ state: Monitor<State>, _ settings: ConnectionSettings, _ onFailure: (PostgresFailure) -> Void
    ) {
        var connection: Connection?
        var pause = Duration.milliseconds(100)
        while let batch = nextBatch(state) {
            do {
                if connection?.isUsable != true {
                    connection = nil
                    connection = try open(settings)
                }
                let (channels, payloads) = batch.messages()
                try connection?.run(notify, .textArray(channels.map(\.self)), .textArray(payloads.map(\.self)))
                state.update { $0.counts.sent += payloads.count }
                pause = .milliseconds(100)
                gather(state)
            } catch {
                onFailure(error)
                state.update { $0.counts.failures += 1 }
                // The server will never accept this batch, and keeping it would block all later ones.
                guard error.isUnavailable || error.state?.isTransient == true else { continue }
                state.update { $0.pending.putBack(batch) }
                guard mayTryAgain(state, after: pause) else { return }
                pause = min(pause * 2, .seconds(5))
            }
        }
    }

    /// Blocks until announcements are pending, and returns them, or nil once the notifier has stopped.
    private static func nextBatch(_ state: Monitor<State>) -> Announcements? {
        state.wait { state -> Announcements?? in
            guard state.pending.isEmpty else {
                defer { state.pending = Announcements() }
                return state.pending
            }
            return state.end == nil ? nil : .some(nil)
        } ?? nil
    }

    /// Waits for further announcements without waking up for each.
    private static func gather(_ state: Monitor<State>) {
        guard state.read(\.end) == nil else { return }
        _ = Poll.readable([], upTo: .milliseconds(5))
    }

    /// Waits before a retry, for less time while the notifier stops. Returns false after the deadline.
    private static func mayTryAgain(_ state: Monitor<State>, after pause: Duration) -> Bool {
        if state.read(\.end) == nil, state.wait(upTo: pause, for: { $0.end }) == nil { return true }
        guard let end = state.read(\.end), end > .now else { return false }
        _ = state.wait(upTo: min(.milliseconds(100), end - .now)) { _ -> Never? in nil }
        return true
    }

    private static func open(_ settings: ConnectionSettings) throws(PostgresFailure) -> Connection {
        let connection = try Connection(settings)
        try connection.execute(script: "set synchronous_commit = off")
        return connection
    }

    private static let notify = Statement(
        """
        -- name: notify
        select pg_notify(channel, payload) from unnest($1, $2) as announcement (channel, payload)
        """)
}

/// The pending announcements: the highest revision for each channel and scope.
struct Announcements {
    struct Subject: Hashable {
        let channel: String
        let scope: String
    }

    private struct Entry {
        var revision: Int64
        /// A sequence number, by which the oldest entries are found.
        var age: Int
    }

    private let limit: Int
    private var entries: [Subject: Entry] = [:]
    private var clock = 0

    /// - Parameter limit: The limit on the number of subjects; beyond it, the oldest are evicted.
    init(limit: Int = 10_000) { self.limit = limit }

    var isEmpty: Bool { entries.isEmpty }

    mutating func add(_ subject: Subject, revision: Int64) {
        clock += 1
        entries[subject] = Entry(revision: max(revision, entries[subject]?.revision ?? revision), age: clock)
        // Evicting only after a quarter more makes the cost of sorting small for each announcement.
        guard entries.count > limit + limit / 4 else { return }
        trim()
    }

    /// Puts back unsent announcements, which count as older than all others.
    mutating func putBack(_ older: Announcements) {
        var merged = older
        for (subject, entry) in entries.sorted(by: { $0.value.age < $1.value.age }) {
            merged.add(subject, revision: entry.revision)
        }
        self = merged
    }

    /// Returns all channels and payloads in the order of the announcements.
    ///
    /// A payload is the revision, preceded by the scope and a space if there is a scope.
    func messages() -> (channels: [String], payloads: [String]) {
        let ordered = entries.sorted { $0.value.age < $1.value.age }.suffix(limit)
        return (
            ordered.map(\.key.channel),
            ordered.map { subject, entry in
                subject.scope.isEmpty ? "\(entry.revision)" : "\(subject.scope) \(entry.revision)"
            }
        )
    }

    private mutating func trim() {
        let newest = entries.sorted { $0.value.age < $1.value.age }.suffix(limit)
        entries = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
    }
}
