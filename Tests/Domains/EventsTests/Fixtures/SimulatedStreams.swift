import AlmanacIdentity
import AlmanacJSON
import AlmanacPOSIX
import AlmanacResponseStreams
import AlmanacTestSupport
import Testing

@testable import AlmanacEventsDomain

/// The streams of a simulated environment whose histories consist of revision numbers only. The test decides when each
/// read, announcement and pause of a reader happens.
struct SimulatedStreams {
    var table = StreamTable(clock: .system)
    /// The simulated database: the config's revision, and the revision of each account.
    private(set) var config: Int64 = 0
    private(set) var accounts: [Int64: Int64] = [:]
    private(set) var readers: [Int: Reader] = [:]
    private var random: Randomness
    /// The announcements still in flight.
    private var announcements: [(StreamScope, Int64)] = []
    /// A job whose read is done and whose result has not arrived yet.
    private var pending: (job: StreamPositions.Job, config: Int64, accounts: [Int64: Int64])?

    struct Reader {
        let stream: StreamReader
        let account: Int64?
        let start: (config: Int64?, notes: Int64)
    }

    struct SimulationFailure: Error, CustomStringConvertible { let description: String }

    static let batchSize = 7
    private static let accountIDs: [Int64] = [1, 2, 3]

    init(seed: UInt64) {
        random = Randomness(seed: seed)
        config = Int64.random(in: 0...20, using: &random)
        _ = table.positions.didRead(head)
    }

    private var head: ConfigHead { ConfigHead(lineage: "k3f9", revision: config, oldestRevision: 0, version: "1.0.0") }

    private static func account(_ id: Int64, _ revision: Int64) -> AccountHead {
        AccountHead(id: id, lineage: "k3f9abcd\(id)", revision: revision, oldestRevision: 0)
    }

    private static func user(_ id: Int64) -> VerifiedUser { VerifiedUser(issuer: "i", subject: "user \(id)") }

    // MARK: Events

    mutating func step() throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<15: changeConfig()
        case 15..<35: changeAccount()
        case 35..<45: announce()
        case 45..<55: if readers.count < 12 { try open() }
        case 55..<58: close()
        case 58..<65: try readSome()
        case 65..<67: table.positions.checkAll()
        default: perform()
        }
    }

    private mutating func changeConfig() {
        config += Int64.random(in: 1...3, using: &random)
        announceUnreliably(.config, config)
    }

    private mutating func changeAccount() {
        let id = Self.accountIDs.randomElement(using: &random)!
        accounts[id, default: 0] += Int64.random(in: 1...9, using: &random)
        announceUnreliably(.account(id), accounts[id]!)
    }

    /// Announces a revision. The announcement may be lost, duplicated, delayed, or name a future revision.
    private mutating func announceUnreliably(_ scope: StreamScope, _ revision: Int64) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: break
        case 1: announcements += [(scope, revision), (scope, revision)]
        case 2: announcements.append((scope, revision + Int64.random(in: 1...50, using: &random)))
        case 3: announcements.append((scope, revision))
        default: table.positions.announce(revision, in: scope, at: .now)
        }
    }

    private mutating func announce() {
        guard let index = announcements.indices.randomElement(using: &random) else { return }
        let (scope, revision) = announcements.remove(at: index)
        table.positions.announce(revision, in: scope, at: .now)
    }

    private mutating func open() throws {
        let readsConfig = Int.random(in: 0..<5, using: &random) > 0
        let id = Bool.random(using: &random) || !readsConfig ? Self.accountIDs.randomElement(using: &random) : nil
        let configRevision = readsConfig ? Int64.random(in: max(0, config - 30)...config, using: &random) : nil
        let notes = id.flatMap { accounts[$0] }.map { Int64.random(in: 0...$0, using: &random) }
        let subscriber = Subscriber(readsConfig: readsConfig, user: id.map(Self.user), tokenID: nil, expiresAt: nil)
        let stream = Stream(
            subscriber, config: configRevision,
            notes: notes.map {
                Stream.NotesPosition(account: id!, lineage: Self.account(id!, 0).lineage, revision: $0)
            })
        let reader = try StreamReader(buffer: Bool.random(using: &random) ? 1 : nil)
        let new = NewStream(
            stream: stream, head: head, account: notes.flatMap { _ in id.map { Self.account($0, accounts[$0]!) } },
            slot: nil, needsResync: false, needsHello: true, timeout: nil)
        guard let number = table.open(new, on: reader.take()) else {
            throw SimulationFailure(description: "a stream was over at once")
        }
        readers[number] = Reader(stream: reader, account: id, start: (configRevision, notes ?? 0))
    }

    private mutating func close() {
        guard let number = readers.keys.sorted().randomElement(using: &random) else { return }
        readers.removeValue(forKey: number)?.stream.leave()
        table.clientDisconnected(number)
    }

    /// Lets a reader receive some bytes, which may unblock its stream.
    private mutating func readSome() throws {
        guard let number = readers.keys.sorted().randomElement(using: &random) else { return }
        try readers[number]?.stream.read(bytes: Int.random(in: 1...2000, using: &random))
        table.resume(number)
    }

    // MARK: The reader of histories

    /// Starts a job, or finishes the started one.
    private mutating func perform() {
        if let (job, config, accounts) = pending {
            pending = nil
            finish(job, config, accounts)
        } else if let job = table.positions.nextJob() {
            pending = (job, config, accounts)
        }
    }

    private mutating func finish(_ job: StreamPositions.Job, _ config: Int64, _ accounts: [Int64: Int64]) {
        let head = ConfigHead(lineage: "k3f9", revision: config, oldestRevision: 0, version: "1.0.0")
        switch job {
        case .check(let watched):
            _ = table.positions.didRead(head, before: watched.config)
            for (id, mark) in watched.accounts where accounts[id] != mark.read {
                _ = table.positions.updateAccount(accounts[id], of: id, before: mark)
            }
            for user in watched.users {
                guard let id = Self.accountIDs.first(where: { Self.user($0) == user }), let revision = accounts[id]
                else { continue }
                table.positions.attachAccount(Self.account(id, revision), of: user, at: .now)
            }
        case .read(.config, let after, let mark):
            _ = table.positions.didRead(head, before: mark)
            deliver(.config, after, config)
        case .read(.account(let id), let after, let mark):
            guard let revision = accounts[id] else { return }
            _ = table.positions.didRead(Self.account(id, revision), of: id, before: mark)
            deliver(.account(id), after, revision)
        }
    }

    private mutating func deliver(_ scope: StreamScope, _ after: Int64, _ newest: Int64) {
        let last = min(newest, after + Int64(Self.batchSize))
        let events =
            after < last
            ? (after + 1...last).map { revision in
                (
                    revision: revision,
                    message: Message("change") {
                        $0.member("revision", revision); $0.member("scope", "\(scope)")
                    }
                )
            } : []
        let batch = EventBatch(
            scope: scope, events: events, isComplete: events.count < Self.batchSize, newest: newest, oldest: 0)
        for number in table.positions.readers(of: scope, from: after) { table.deliver(batch, to: number) }
    }

    // MARK: The end state

    /// Checks the database once for unannounced changes, then reads and delivers everything.
    ///
    /// - Returns: the number of jobs.
    mutating func settle() throws -> Int {
        table.positions.checkAll()
        var jobs = 0
        while true {
            var isAtRest = true
            while pending != nil || perform(once: ()) {
                perform()
                jobs += 1
                isAtRest = false
                guard jobs < 10_000 else {
                    throw SimulationFailure(description: "the work has no end: \(String(describing: pending))")
                }
            }
            for (number, reader) in readers {
                try reader.stream.read()
                table.resume(number)
            }
            if isAtRest, table.sinks.values.allSatisfy(\.unsent.isEmpty) { break }
        }
        for reader in readers.values { try reader.stream.read() }
        return jobs
    }

    /// - Returns: `true` if a job was started.
    private mutating func perform(once: Void) -> Bool {
        perform()
        return pending != nil
    }

    /// Checks that every stream received each revision after its start, once and in order.
    func check() throws {
        for (number, reader) in readers {
            var expected: [String: [Int64]] = [:]
            if let start = reader.start.config, start < config { expected["config"] = Array(start + 1...config) }
            if let id = reader.account, let newest = accounts[id], reader.start.notes < newest {
                expected["account(\(id))"] = Array(reader.start.notes + 1...newest)
            }
            var sent: [String: [Int64]] = [:]
            for event in reader.stream.all where event.type == "change" {
                sent[event.text("scope") ?? "", default: []].append(event.number("revision") ?? -1)
            }
            guard sent == expected else {
                throw SimulationFailure(description: "stream \(number) was sent \(sent), not \(expected)")
            }
            let id = reader.stream.all.compactMap(\.id).last
            guard id == table.positions.id(of: number).description else {
                throw SimulationFailure(
                    description: "stream \(number) stands at \(id ?? "-"), not \(table.positions.id(of: number))")
            }
        }
        guard table.sinks.count == readers.count else {
            throw SimulationFailure(description: "streams are left over or lost")
        }
    }
}
