public import AlmanacEnvironments
internal import AlmanacFastCGI
public import AlmanacMetrics
internal import AlmanacPOSIX
public import AlmanacPostgreSQL

/// Holds the open streams of one environment, and tells them of every change.
///
/// Two threads do all the work, however many streams there are: one reads from the database what has happened and
/// sends it, the other one looks after the streams themselves.
public final class Hub: Sendable {
    private let stop: Event
    private let watch: OpenAnswerWatch
    private let desk: Monitor<Desk>
    private let threads: [Thread]
    private let name: EnvironmentName
    private let delays = Histogram(.streamDelivery)
    let seats = Seats()

    /// Begins to work, with what the database holds.
    ///
    /// - Parameters:
    ///   - name: the environment's, for the threads' names.
    ///   - report: told after every reading: of the error, after which it is tried again, or of none.
    public init(_ name: EnvironmentName, pool: Pool, report: @escaping @Sendable ((any Error)?) -> Void) throws {
        let stop = try Event()
        let watch = try OpenAnswerWatch(stop: stop)
        var empty = Desk(now: .now)
        let head = try pool.withConnection { try ConfigFeed.head(on: $0) }
        _ = empty.book.note(head: head)
        let desk = Monitor(empty)
        self.name = name
        self.stop = stop
        self.watch = watch
        self.desk = desk
        let reader = HistoryReader(desk: desk, pool: pool, stop: stop, delays: delays, report: report)
        threads = [
            Thread(name: "read-\(name)") { reader.run() },
            Thread(name: "keep-\(name)") {
                while !stop.isSet { Self.lookAfter(watch.wait(upTo: .milliseconds(250)), desk) }
            },
        ]
    }

    /// The newest release that is known here.
    public var revision: Int64 { desk.read { $0.book.head?.revision ?? 0 } }

    var head: ConfigHead? { desk.read { $0.book.head } }

    /// How many streams are open.
    public var count: Int { desk.read { $0.outlets.count } }

    /// Begins a stream on an answer whose header has been sent.
    func open(_ opening: Opening, on answer: OpenAnswer) {
        desk.update { desk in
            guard let number = desk.open(opening, on: answer, now: .now, time: WallClock.milliseconds) else { return }
            if (try? watch.watch(answer, number: number)) == nil { desk.leave(number) }
        }
    }

    /// Takes a notification that the config, or an account's notes, have reached a revision.
    public func announce(account: Int64? = nil, revision: Int64) {
        desk.update { $0.book.note(account.map { .account($0) } ?? .config, announced: revision) }
    }

    /// Has everything compared with the database, since a notification may have been missed.
    public func check() {
        desk.update { $0.book.noteSilence() }
    }

    /// Ends the streams whose API token is not good any more.
    public func recheckTokens(_ isValid: (_ id: String) -> Bool) {
        desk.update { desk in
            for (number, stream) in desk.book.streams {
                guard let id = stream.audience.tokenID, !isValid(id) else { continue }
                let isOver = stream.audience.tokenExpiresIn(at: WallClock.milliseconds) == 0
                desk.end(number, isOver ? .tokenExpired : .tokenRevoked)
            }
        }
    }

    /// Writes how many streams there are and what became of them.
    public func write(to exposition: inout Exposition) {
        let (count, tally) = desk.read { ($0.outlets.count, $0.tally) }
        exposition.add(.streams, [name.text], Double(count))
        for (type, number) in tally.events { exposition.add(.streamEvents, [name.text, type], Double(number)) }
        for (reason, number) in tally.ends { exposition.add(.streamsClosed, [reason], Double(number)) }
        delays.write(to: &exposition, .streamDelivery, [])
    }

    /// Says goodbye to every stream, and ends the threads.
    public func close() {
        desk.update { desk in
            desk.isClosed = true
            desk.endAll(.restarting)
        }
        stop.set()
        for thread in threads { thread.wait(upTo: .seconds(2)) }
    }

    /// What the keeper does: lets go of readers that have left, goes on with those that have made room, and keeps time.
    private static func lookAfter(_ happenings: [OpenAnswerWatch.Happening], _ desk: Monitor<Desk>) {
        desk.update { desk in
            for happening in happenings {
                if happening.isGone { desk.leave(happening.number) } else { desk.resume(happening.number) }
            }
            desk.tick(now: .now, time: WallClock.milliseconds)
        }
    }
}
