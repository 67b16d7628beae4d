public import AlmanacEnvironments
public import AlmanacMetrics
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacResponseStreams

/// The open streams of one environment, which receive every change.
///
/// Two threads serve all streams: one reads and sends changes, and the other watches connections and runs timers.
public final class Hub: Sendable {
    private let stop: Event
    private let watch: ResponseStreamWatch
    private let table: Monitor<StreamTable>
    private let threads: [Thread]
    private let name: EnvironmentName
    private let clock: ServerClock
    private let delays = Histogram(.streamDelivery)
    let slots = StreamSlots()

    /// Starts the threads at the database's current head.
    ///
    /// - Parameter report: Receives the outcome of every read: an error, which causes a retry, or nil.
    public init(
        _ name: EnvironmentName, pool: Pool, clock: ServerClock = .system,
        report: @escaping @Sendable ((any Error)?) -> Void
    ) throws {
        let stop = try Event()
        let watch = try ResponseStreamWatch(stop: stop)
        var empty = StreamTable(clock: clock)
        let head = try pool.withConnection { try ConfigFeed.head(on: $0) }
        _ = empty.positions.didRead(head)
        let table = Monitor(empty)
        self.name = name
        self.clock = clock
        self.stop = stop
        self.watch = watch
        self.table = table
        let reader = HistoryReader(
            table: table, pool: pool, stop: stop, clock: clock, delays: delays, report: report, wake: { watch.wake() })
        threads = [
            Thread(name: "read-\(name)") { reader.run() },
            Thread(name: "keep-\(name)") {
                while !stop.isSet {
                    let pause = table.read { $0.pause(upTo: .milliseconds(250)) }
                    Self.apply(watch.wait(upTo: pause), to: table)
                }
            },
        ]
    }

    /// The newest release known to this process.
    public var revision: Int64 { table.read { $0.positions.head?.revision ?? 0 } }

    /// True if a future time is known at which time alone changes evaluations.
    var hasScheduledChange: Bool { table.read { $0.hasScheduledChange } }

    var head: ConfigHead? { table.read { $0.positions.head } }

    /// The number of open streams.
    public var count: Int { table.read { $0.sinks.count } }

    /// Opens a stream on a connection whose header has been sent.
    func open(_ new: NewStream, on connection: ResponseStream) {
        table.update { table in
            guard let number = table.open(new, on: connection) else { return }
            if (try? watch.watch(connection, number: number)) == nil { table.clientDisconnected(number) }
        }
    }

    /// Records a notification that the config, or an account's notes, reached a revision.
    public func announce(account: Int64? = nil, revision: Int64) {
        let now = clock.now()
        table.update { $0.positions.announce(revision, in: account.map { .account($0) } ?? .config, at: now) }
    }

    /// Tells readers that a proposal changed. A lost notification is not repeated; readers poll what they show.
    public func announce(proposal: Int64) { table.update { $0.announce(proposal: proposal) } }

    /// Requests a comparison with the database, because a notification may have been lost.
    public func check() { table.update { $0.positions.checkAll() } }

    /// Closes the streams whose API token is no longer valid.
    public func recheckTokens(_ isValid: (_ id: String) -> Bool) {
        table.update { table in
            for (number, stream) in table.positions.streams {
                guard let id = stream.subscriber.tokenID, !isValid(id) else { continue }
                let isOver = stream.subscriber.tokenExpiresIn(at: clock.milliseconds()) == 0
                table.close(number, isOver ? .tokenExpired : .tokenRevoked)
            }
        }
    }

    /// The sessions of browsers with an open stream.
    public var sessions: Set<String> {
        table.read { Set($0.positions.streams.values.compactMap(\.subscriber.sessionID)) }
    }

    /// Closes the streams of ended sessions.
    public func close(sessions ended: Set<String>) {
        guard !ended.isEmpty else { return }
        table.update { table in
            for (number, stream) in table.positions.streams {
                guard let id = stream.subscriber.sessionID, ended.contains(id) else { continue }
                table.close(number, .tokenRevoked)
            }
        }
    }

    /// Closes the streams of removed people.
    ///
    /// - Parameter removed: The digests of the people.
    public func close(people removed: Set<String>) {
        guard !removed.isEmpty else { return }
        table.update { table in
            for (number, stream) in table.positions.streams {
                guard let person = stream.subscriber.personDigest, removed.contains(person) else { continue }
                table.close(number, .personRemoved)
            }
        }
    }

    /// Writes the numbers of open streams, sent events and ended streams.
    public func write(to exposition: inout Exposition) {
        let (count, counts) = table.read { ($0.sinks.count, $0.counts) }
        exposition.add(.streams, [name.text], Double(count))
        for (type, number) in counts.events { exposition.add(.streamEvents, [name.text, type], Double(number)) }
        for (reason, number) in counts.ends { exposition.add(.streamsClosed, [reason], Double(number)) }
        delays.write(to: &exposition, .streamDelivery, [])
    }

    /// Closes every stream and ends the threads.
    public func close() {
        table.update { $0.shutDown() }
        stop.set()
        for thread in threads { thread.wait(upTo: .seconds(2)) }
    }

    /// Removes streams whose clients left, resumes streams that have room again, and runs the timers.
    private static func apply(_ changes: [ResponseStreamWatch.Change], to table: Monitor<StreamTable>) {
        table.update { table in
            for change in changes {
                if change.isGone { table.clientDisconnected(change.number) } else { table.resume(change.number) }
            }
            table.tick()
        }
    }
}
