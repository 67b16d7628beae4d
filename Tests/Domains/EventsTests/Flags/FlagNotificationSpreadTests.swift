import AlmanacJSON
import AlmanacPOSIX
import AlmanacTargeting
import AlmanacTestRandomness
import AlmanacTestSupport
import Testing

@testable import AlmanacEventsDomain

/// Tests the time at which each stream about flags is notified, with a clock that the test sets.
@Suite struct FlagNotificationSpreadTests {
    private let start = ContinuousClock.now
    private let time: TestClock
    private let head = ConfigHead(lineage: "k3f9", revision: 5, oldestRevision: 0, version: "1.2.3")
    private var table: StreamTable

    init() {
        time = TestClock(start, milliseconds: 1_790_000_000_000)
        let random = Monitor(Randomness(seed: 7))
        table = StreamTable(clock: time.server) { limit in
            random.update { Int.random(in: 0..<max(1, limit), using: &$0) }
        }
        _ = table.positions.didRead(head)
    }

    private mutating func open(_ count: Int, followsFlags: Bool = true) throws -> [(number: Int, reader: StreamReader)]
    {
        try (0..<count).map { _ in
            let reader = try StreamReader()
            let subscriber = Subscriber(
                readsConfig: true, seesFlags: false, followsFlags: followsFlags, user: nil, tokenID: nil, expiresAt: nil
            )
            let new = NewStream(
                stream: Stream(subscriber, config: 5, notes: nil), head: head, account: nil, slot: nil,
                needsResync: false, needsHello: true, timeout: nil)
            let number = table.open(new, on: reader.take())
            return (try #require(number), reader)
        }
    }

    private mutating func release(_ revision: Int64, to streams: [(number: Int, reader: StreamReader)]) {
        table.positions.announce(revision, in: .config, at: start)
        _ = table.positions.didRead(
            ConfigHead(lineage: "k3f9", revision: revision, oldestRevision: 0, version: "1.2.\(revision)"))
        let message = Message("refetchEvaluation") { $0.member("revision", revision) }
        let batch = EventBatch(
            scope: .config, events: [(revision, message)], isComplete: true, newest: revision, oldest: 0,
            flagChange: (revision, 1_790_000_000))
        for stream in streams { table.deliver(batch, to: stream.number) }
    }

    private func receivedEvents(_ reader: StreamReader) throws -> [SentEvent] {
        try reader.read()
        return reader.all.filter { $0.type == "refetchEvaluation" }
    }

    @Test mutating func `200 streams are told one after the other over the time that they are spread over`() throws {
        let streams = try open(200)
        let otherStreams = try open(1, followsFlags: false)
        release(6, to: streams + otherStreams)
        #expect(try receivedEvents(otherStreams[0].reader).count == 1, "other streams spread their fetches themselves")
        let spread = Spread.milliseconds(for: 200)
        #expect(spread == 200)
        #expect(table.pause(upTo: .milliseconds(250)) <= .milliseconds(spread + 10))
        var counts: [Int] = []
        for step in 0...21 {
            time.set(start + .milliseconds(10 * step), milliseconds: 1_790_000_000_000)
            table.tick()
            counts.append(try streams.count { try !receivedEvents($0.reader).isEmpty })
        }
        #expect(counts[0] < 20)
        #expect(counts.last == 200)
        // The distribution is even if no 50 ms have twice their share.
        for (early, late) in zip(counts, counts.dropFirst(5)) { #expect(late - early < 100) }
        for stream in streams { #expect(try receivedEvents(stream.reader).map { $0.number("spreadMs") } == [0]) }
    }

    @Test mutating func `a stream whose turn comes is told of the newest release, once`() throws {
        let streams = try open(200)
        release(6, to: streams)
        release(7, to: streams)
        // A stream that still waits for its turn needs no read.
        #expect(table.positions.readers(of: .config).isEmpty)
        time.set(start + .seconds(1), milliseconds: 1_790_000_001_000)
        table.tick()
        for stream in streams {
            let events = try receivedEvents(stream.reader)
            #expect(events.map { $0.number("revision") } == [7])
            #expect(events.first?.text("etag") == "\"7.k3f9\"" && events.first?.text("version") == "1.2.7")
        }
        release(8, to: streams)
        time.set(start + .seconds(2), milliseconds: 1_790_000_002_000)
        table.tick()
        #expect(try receivedEvents(streams[0].reader).count == 2)
    }

    @Test mutating func `when time alone changes answers, each stream about flags is told once`() throws {
        let streams = try open(60)
        let otherStreams = try open(1, followsFlags: false)
        var schedule = FlagSchedule()
        schedule.add(rule: try FlagValue(json: #"{"<":[{"var":"$flagd.timestamp"},1790000010]}"#))
        table.set(schedule)
        func events() throws -> Int { try streams.reduce(0) { try $0 + receivedEvents($1.reader).count } }
        time.set(start + .seconds(10), milliseconds: 1_790_000_010_000)
        table.tick()
        #expect(try events() == 0)
        time.set(start + .seconds(11), milliseconds: 1_790_000_011_000)
        table.tick()
        time.set(start + .seconds(12), milliseconds: 1_790_000_012_000)
        table.tick()
        #expect(try events() == 60)
        #expect(try receivedEvents(otherStreams[0].reader).isEmpty)
        // Reading the same schedule again must not announce the change again.
        table.set(schedule)
        time.set(start + .seconds(20), milliseconds: 1_790_000_020_000)
        table.tick()
        #expect(try events() == 60)
    }

    @Test mutating func `a stream that has gone, or is not reading, takes nobody's turn`() throws {
        let streams = try open(100)
        release(6, to: streams)
        table.clientDisconnected(streams[0].number)
        time.set(start + .seconds(1), milliseconds: 1_790_000_001_000)
        table.tick()
        #expect(try streams.dropFirst().allSatisfy { try receivedEvents($0.reader).count == 1 })
        #expect(table.positions.followersOfFlags.count == 99)
    }
}
