internal import AlmanacPOSIX

/// Tells listening sessions what has changed, after the change was committed.
///
/// `NOTIFY` inside a write transaction makes all commits of the database queue up; so a thread with a connection of its
/// own sends it, in batches, without waiting for the disk. The first announcement after a while goes out at once, those
/// in a steady flow up to 5 ms later, together: each batch costs the server about as much as a write. While the
/// database is away announcements wait, and the thread tries again after 0.1 s, then ever longer up to 5 s. An
/// announcement may get lost (a crash, too many waiting), so listeners also look for themselves now and then.
public final class Notifier: Sendable {
    private let state = Monitor(State())
    private let thread: Thread

    private struct State {
        var pending = Announcements()
        /// When set, the thread ends after the pending announcements, and at that time at the latest.
        var end: ContinuousClock.Instant?
        var counts = (sent: 0, failures: 0)
    }

    /// - Parameter onFailure: called on the notifier's thread for each attempt that failed.
    public init(
        _ settings: ConnectionSettings, threadName: String,
        onFailure: @escaping @Sendable (PostgresFailure) -> Void = { _ in }
    ) {
        let state = state
        thread = Thread(name: threadName) {
            Self.work(state, settings, onFailure)
        }
    }

    deinit {
        state.update { $0.end = $0.end ?? .now }
    }

    /// Announces that the channel's subject has reached a revision; returns at once.
    ///
    /// Of several revisions of one subject that wait to be sent only the highest is. The payload is `43`, or
    /// `alice 43` with the scope `alice`.
    ///
    /// - Parameters:
    ///   - channel: at most 63 bytes.
    ///   - scope: what in the channel changed; at most 7 KB, which is what a notification has room for.
    public func announce(channel: String, scope: String = "", revision: Int64) {
        state.update { $0.pending.add(Announcements.Subject(channel: channel, scope: scope), revision: revision) }
    }

    /// How many notifications were sent so far, and how many attempts to send some failed.
    public var counts: (sent: Int, failures: Int) { state.read(\.counts) }

    /// Sends what is pending, for at most 2 s, and ends the thread.
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
                // An announcement that the server never takes would block all those behind it.
                guard error.isAway || error.state?.isTransient == true else { continue }
                state.update { $0.pending.putBack(batch) }
                guard mayTryAgain(state, after: pause) else { return }
                pause = min(pause * 2, .seconds(5))
            }
        }
    }

    /// Blocks until there is something to announce; nil when the notifier was stopped and all is sent.
    private static func nextBatch(_ state: Monitor<State>) -> Announcements? {
        state.wait { state -> Announcements?? in
            guard state.pending.isEmpty else {
                defer { state.pending = Announcements() }
                return state.pending
            }
            return state.end == nil ? nil : .some(nil)
        } ?? nil
    }

    /// Lets announcements gather, without being woken by each.
    private static func gather(_ state: Monitor<State>) {
        guard state.read(\.end) == nil else { return }
        _ = Poll.readable([], upTo: .milliseconds(5))
    }

    /// Waits before the next attempt, shorter once the notifier is being stopped; false when its time is over.
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

/// The announcements that are still to be sent: for each channel and scope the highest revision.
struct Announcements {
    struct Subject: Hashable {
        let channel: String
        let scope: String
    }

    private struct Entry {
        var revision: Int64
        /// Grows with every announcement, so the oldest can be told.
        var age: Int
    }

    private let limit: Int
    private var entries: [Subject: Entry] = [:]
    private var clock = 0

    /// - Parameter limit: how many subjects are kept; beyond it those announced longest ago are forgotten.
    init(limit: Int = 10_000) {
        self.limit = limit
    }

    var isEmpty: Bool { entries.isEmpty }

    mutating func add(_ subject: Subject, revision: Int64) {
        clock += 1
        entries[subject] = Entry(revision: max(revision, entries[subject]?.revision ?? revision), age: clock)
        // A quarter more before the sort, which so costs little for each announcement.
        guard entries.count > limit + limit / 4 else { return }
        trim()
    }

    /// Puts back what could not be sent, as older than everything announced since.
    mutating func putBack(_ older: Announcements) {
        var merged = older
        for (subject, entry) in entries.sorted(by: { $0.value.age < $1.value.age }) {
            merged.add(subject, revision: entry.revision)
        }
        self = merged
    }

    /// Takes everything out, as channels and payloads in the order of the announcements.
    ///
    /// A payload is the revision, behind the scope and a space when there is a scope.
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
