import AlmanacJSON
import AlmanacNotesDomain
import AlmanacResponseStreams
import AlmanacTestSupport
import Testing

@testable import AlmanacEventsDomain

/// Tests an environment's streams, with a clock that the test sets.
@Suite struct StreamTableTests {
    private let start = ContinuousClock.now
    private let time: TestClock
    private let head = ConfigHead(lineage: "k3f9", revision: 5, oldestRevision: 0, version: "1.2.3")
    private var table: StreamTable

    init() {
        time = TestClock(start)
        table = StreamTable(clock: time.server)
        _ = table.positions.didRead(head)
    }

    /// Opens a stream of the config at revision 5. Returns nil if it is closed at once.
    private mutating func open(
        _ reader: StreamReader, expiresAt: Int64? = nil, needsResync: Bool = false,
        needsHello: Bool = true, timeout: Duration? = nil, seesFlags: Bool = true
    ) -> Int? {
        let subscriber = Subscriber(
            readsConfig: true, seesFlags: seesFlags, user: nil, tokenID: nil, expiresAt: expiresAt)
        let stream = Stream(subscriber, config: 5, notes: nil, endsAfterChange: timeout != nil)
        let new = NewStream(
            stream: stream, head: head, account: nil, slot: nil, needsResync: needsResync, needsHello: needsHello,
            timeout: timeout)
        time.set(start, milliseconds: 1_000_000)
        return table.open(new, on: reader.take())
    }

    /// - Parameter time: the time of day, in milliseconds since 1970.
    private mutating func tick(now: ContinuousClock.Instant, time: Int64) {
        self.time.set(now, milliseconds: time)
        table.tick()
    }

    private mutating func begin(
        _ reader: StreamReader, expiresAt: Int64? = nil, needsHello: Bool = true, timeout: Duration? = nil
    ) throws -> Int {
        let number = open(reader, expiresAt: expiresAt, needsHello: needsHello, timeout: timeout)
        return try #require(number)
    }

    /// Delivers an event of the config with a payload of `size` bytes, to fill a small buffer.
    private mutating func deliver(_ revision: Int64, to number: Int, size: Int = 1) {
        let message = Message("change") {
            $0.member("revision", revision)
            $0.member("text", String(repeating: "x", count: size))
        }
        let batch = EventBatch(
            scope: .config, events: [(revision, message)], isComplete: true, newest: revision, oldest: 0)
        table.positions.announce(revision, in: .config, at: start)
        table.deliver(batch, to: number)
    }

    private func types(_ reader: StreamReader) throws -> [String] {
        try reader.read()
        return reader.all.map(\.type)
    }

    @Test mutating func `hello never pairs a release that is only announced with the version before it`() throws {
        table.positions.announce(7, in: .config, at: start)
        let reader = try StreamReader()
        _ = try begin(reader)
        #expect(try types(reader) == ["hello"])
        #expect(reader.all[0].text("config") == "5.k3f9")
        #expect(reader.all[0].text("version") == "1.2.3")
        // The request that opens a stream may have read a newer revision than the streams have received.
        let ahead = ConfigHead(lineage: "k3f9", revision: 6, oldestRevision: 0, version: "1.3.0")
        let subscriber = Subscriber(readsConfig: true, user: nil, tokenID: nil, expiresAt: nil)
        let other = try StreamReader()
        _ = table.open(
            NewStream(
                stream: Stream(subscriber, config: 6, notes: nil, endsAfterChange: false), head: ahead, account: nil,
                slot: nil, needsResync: false, needsHello: true, timeout: nil), on: other.take())
        #expect(try types(other) == ["hello"])
        #expect(other.all[0].text("config") == "6.k3f9")
        #expect(other.all[0].text("version") == "1.3.0")
    }

    @Test mutating func `a stream says hello, and pings every 20 s without an id`() throws {
        let reader = try StreamReader()
        _ = try begin(reader)
        tick(now: start + .seconds(19), time: 1_019_000)
        #expect(try types(reader) == ["hello"])
        for second in 20...63 { tick(now: start + .seconds(second), time: 1_000_000 + Int64(second) * 1000) }
        #expect(try types(reader) == ["hello", "ping", "ping", "ping"])
        #expect(reader.all[0].id == "config=5.k3f9")
        #expect(reader.all[1].id == nil)
        #expect(reader.all[1].text("config") == "5.k3f9")
    }

    @Test mutating func `a stream ends within a second of its token, not before`() throws {
        let reader = try StreamReader()
        _ = try begin(reader, expiresAt: 1_030_000)
        tick(now: start + .milliseconds(29_900), time: 1_029_900)
        #expect(try types(reader) == ["hello", "ping"])
        #expect(reader.all.map { $0.number("tokenExpiresIn") } == [30, 0])
        tick(now: start + .seconds(31), time: 1_031_000)
        #expect(try types(reader) == ["hello", "ping", "bye"])
        #expect(reader.all[2].text("reason") == "token-expired")
        #expect(reader.all[2].id == nil)
        #expect(try reader.ends())
        #expect(table.sinks.isEmpty)
    }

    @Test mutating func `a long poll without a change ends with a ping`() throws {
        let reader = try StreamReader()
        _ = try begin(reader, needsHello: false, timeout: .seconds(5))
        tick(now: start + .seconds(4), time: 0)
        #expect(try types(reader) == [])
        tick(now: start + .seconds(6), time: 0)
        #expect(try types(reader) == ["ping"])
        #expect(try reader.ends())
    }

    @Test mutating func `a long poll ends with its change`() throws {
        let reader = try StreamReader()
        let number = try begin(reader, needsHello: false, timeout: .seconds(5))
        deliver(6, to: number)
        #expect(try types(reader) == ["change"])
        #expect(try reader.ends())
    }

    @Test mutating func `a long poll that has to read everything anew is sent a resync at once`() throws {
        let reader = try StreamReader()
        let number = open(reader, needsResync: true, needsHello: false, timeout: .seconds(5))
        #expect(number == nil)
        #expect(try types(reader) == ["resync"])
        #expect(try reader.ends())
    }

    @Test mutating func `a reader who never reads is dropped, and delays nobody`() throws {
        let (lazy, eager) = (try StreamReader(buffer: 1), try StreamReader(buffer: 1))
        let numbers = [try begin(lazy), try begin(eager)]
        for revision in Int64(6)...500 {
            for number in numbers { deliver(revision, to: number, size: 200) }
            try eager.read()
        }
        #expect(eager.all.dropFirst().map { $0.number("revision") } == (6...500).map { $0 })
        #expect(table.positions.streams[numbers[0]]?.isBlocked == true)
        // The table buffers at most one event for a client that does not read.
        #expect(table.sinks[numbers[0]]!.unsent.count < 500)
        tick(now: start + .seconds(25), time: 0)
        #expect(table.sinks.count == 2)
        try eager.read()
        tick(now: start + .seconds(60), time: 0)
        #expect(Array(table.sinks.keys) == [numbers[1]])
    }

    @Test mutating func `a reader who makes room goes on behind the byte where it stopped`() throws {
        let reader = try StreamReader(buffer: 1)
        let number = try begin(reader)
        var revision: Int64 = 5
        while table.positions.streams[number]?.isBlocked == false {
            revision += 1
            deliver(revision, to: number, size: 3000)
        }
        #expect(!table.sinks[number]!.unsent.isEmpty)
        let blocked = revision
        deliver(blocked + 1, to: number)
        while table.positions.streams[number]?.isBlocked == true {
            try reader.read(bytes: 100)
            table.resume(number)
        }
        #expect(table.sinks[number]?.blockedSince == nil)
        deliver(blocked + 1, to: number)
        try reader.read()
        table.resume(number)
        try reader.read()
        #expect(reader.all.dropFirst().map { $0.number("revision") } == (6...blocked + 1).map { $0 })
    }

    @Test mutating func `readers who see flags learn of changed proposals, also when they have room again`() throws {
        let (reader, other, poll) = (try StreamReader(buffer: 1), try StreamReader(), try StreamReader())
        let number = try begin(reader)
        _ = open(other, seesFlags: false)
        _ = try begin(poll, needsHello: false, timeout: .seconds(9))
        table.announce(proposal: 12)
        #expect(try types(reader) == ["hello", "proposalChanged"])
        #expect(reader.all[1].number("number") == 12 && reader.all[1].id == nil)
        var revision: Int64 = 5
        while table.positions.streams[number]?.isBlocked == false {
            revision += 1
            deliver(revision, to: number, size: 3000)
        }
        for proposal in [13, 13, 14] { table.announce(proposal: Int64(proposal)) }
        while table.positions.streams[number]?.isBlocked == true {
            try reader.read()
            table.resume(number)
        }
        try reader.read()
        let missed = reader.all.filter { $0.type == "proposalChanged" }.map { $0.number("number") }
        #expect(Set(missed) == [12, 13, 14] && missed.count == 3)
        #expect(try types(other) == ["hello"])
        #expect(try types(poll) == [])
    }

    @Test mutating func `an event larger than every buffer arrives whole`() throws {
        let reader = try StreamReader(buffer: 1)
        let number = try begin(reader)
        deliver(6, to: number, size: 200_000)
        while table.positions.streams[number]?.isBlocked == true {
            try reader.read(bytes: 7000)
            table.resume(number)
        }
        try reader.read()
        #expect(reader.all.last?.text("text")?.utf8.count == 200_000)
    }

    @Test mutating func `a position that is not kept any more is a resync to the newest`() throws {
        let reader = try StreamReader()
        let number = try begin(reader)
        table.positions.announce(90, in: .config, at: start)
        let change = Message("change") { $0.member("revision", 90) }
        table.deliver(
            EventBatch(scope: .config, events: [(90, change)], isComplete: true, newest: 90, oldest: 80), to: number)
        #expect(try types(reader) == ["hello", "resync"])
        #expect(reader.all[1].id == "config=90.k3f9")
    }

    @Test mutating func `hello and resync arrive together though there is little room`() throws {
        let reader = try StreamReader(buffer: 1)
        // The loop fills the socket's buffer except for a few bytes.
        while reader.answer?.send([0, 0, 0, 0, 0, 0, 0, 0]) == .all {}
        let number = open(reader, needsResync: true)
        #expect(number != nil)
        #expect(table.sinks[number ?? 0]?.unsent.isEmpty == false)
        for _ in 0..<1000 where !reader.all.contains(where: { $0.type == "resync" }) {
            try reader.read()
            if let number { table.resume(number) }
        }
        #expect(reader.all.map(\.type) == ["hello", "resync"])
    }

    @Test mutating func `a stream in a history that has been replaced since is closed`() throws {
        let reader = try StreamReader()
        _ = table.positions.didRead(ConfigHead(lineage: "zzzz", revision: 5, oldestRevision: 0, version: "1.2.3"))
        let number = open(reader)
        #expect(number == nil)
        #expect(try types(reader) == ["bye"])
        #expect(reader.all[0].text("reason") == "history-replaced")
        #expect(try reader.ends())
    }

    @Test mutating func `a table that shuts down closes all streams, and those that come later`() throws {
        let (reader, late) = (try StreamReader(), try StreamReader())
        _ = open(reader)
        table.shutDown()
        let number = open(late)
        #expect(number == nil)
        #expect(try types(reader) == ["hello", "bye"])
        #expect(try types(late) == ["bye"])
        for reader in [reader, late] {
            #expect(reader.all.last?.text("reason") == "restarting")
            #expect(try reader.ends())
        }
    }

    @Test mutating func `a reader who has left is forgotten with the next event`() throws {
        let reader = try StreamReader()
        let number = try begin(reader)
        reader.leave()
        deliver(6, to: number)
        #expect(table.sinks.isEmpty)
        #expect(table.positions.streams.isEmpty)
    }
}
