import AlmanacIdentity
import AlmanacTestSupport
import Testing

@testable import AlmanacEventsDomain

@Suite struct StreamPositionsTests {
    /// The number of simulations.
    private static let runs = TestDepth.runs(quick: 20, standard: 40, long: 400)

    /// Runs random simulations. The seed in a failure's message, set as `ALMANAC_TEST_SEED`, becomes the first
    /// simulation's.
    @Test func `at random, every stream is sent every revision once and in order, and the work has an end`() throws {
        let seed = Randomness().seed
        for run in 0..<Self.runs {
            let runSeed = seed &+ UInt64(run)
            do {
                var streams = SimulatedStreams(seed: runSeed)
                for _ in 0..<300 { try streams.step() }
                _ = try streams.settle()
                try streams.check()
            } catch {
                Issue.record("ALMANAC_TEST_SEED=\(runSeed) ALMANAC_TEST_RUNS=1: \(error)")
                return
            }
        }
    }

    private static let head = ConfigHead(lineage: "k3f9", revision: 100_000, oldestRevision: 0, version: "1.0.0")
    private let anyone = Subscriber(readsConfig: true, user: nil, tokenID: nil, expiresAt: nil)

    private func positions(at revisions: Int64...) -> StreamPositions {
        var positions = StreamPositions()
        _ = positions.didRead(Self.head)
        for revision in revisions { _ = positions.open(Stream(anyone, config: revision, notes: nil)) }
        return positions
    }

    private func start(of job: StreamPositions.Job?) -> Int64? {
        guard case .read(.config, let position, _) = job else { return nil }
        return position
    }

    private func expectRest(_ positions: inout StreamPositions, sourceLocation: SourceLocation = #_sourceLocation) {
        let job = positions.nextJob()
        #expect(job == nil, sourceLocation: sourceLocation)
    }

    private func check(_ job: StreamPositions.Job?) -> StreamPositions.KnownState? {
        guard case .check(let watched) = job else { return nil }
        return watched
    }

    @Test func `live streams take turns with one that is far behind, however fast changes come`() throws {
        var positions = positions(at: 100_000, 0)
        var (live, behind) = (0, 0)
        for revision in Int64(100_001)...100_100 {
            // Each round adds a change for live streams.
            positions.announce(revision, in: .config, at: .now)
            let job = positions.nextJob()
            let position = try #require(start(of: job))
            if position < 90_000 { behind += 1 } else { live += 1 }
            for number in positions.readers(of: .config, from: position)
            where positions.streams[number]?.config == position {
                // The position advances by one batch.
                positions.advance(number, to: min(revision, position + 200), in: .config)
            }
        }
        #expect(live >= 45 && behind >= 45, "\(live) and \(behind)")
    }

    @Test func `one reading serves all streams at the same position`() throws {
        var positions = positions(at: 99_999, 99_999, 99_999)
        let job = positions.nextJob()
        let position = try #require(start(of: job))
        #expect(position == 99_999)
        #expect(positions.readers(of: .config, from: position).count == 3)
        for number in 1...3 { positions.advance(number, to: 100_000, in: .config) }
        expectRest(&positions)
    }

    @Test func `nothing is read for a blocked stream until it takes more again`() {
        var positions = positions(at: 99_999)
        positions.setBlocked(1, true)
        expectRest(&positions)
        positions.announce(100_001, in: .config, at: .now)
        expectRest(&positions)
        positions.setBlocked(1, false)
        let job = positions.nextJob()
        #expect(start(of: job) == 99_999)
    }

    @Test func `another lineage, or fewer revisions, is another history`() {
        var positions = positions(at: 100_000)
        let other = ConfigHead(lineage: "zzzz", revision: 100_000, oldestRevision: 0, version: "1.0.0")
        let areRepositiond = [positions.didRead(Self.head), positions.didRead(other)]
        #expect(areRepositiond == [false, true])
        var second = self.positions(at: 100_000)
        let earlier = ConfigHead(lineage: "k3f9", revision: 99_000, oldestRevision: 0, version: "1.0.0")
        let isRepositiond = second.didRead(earlier, before: History.Mark(read: 100_000))
        #expect(isRepositiond)
    }

    @Test func `an account that is gone, or another one, ends its streams`() {
        var positions = positions()
        let user = VerifiedUser(issuer: "i", subject: "alice")
        let subscriber = Subscriber(readsConfig: false, user: user, tokenID: nil, expiresAt: nil)
        _ = positions.open(Stream(subscriber, config: nil, notes: .init(account: 7, lineage: "k3f9aaaa", revision: 5)))
        let mark = History.Mark(read: 5)
        let (same, other) = ("k3f9aaaa", "zzzzaaaa")
        let end = [
            positions.didRead(AccountHead(id: 7, lineage: same, revision: 6, oldestRevision: 0), of: 7, before: mark),
            positions.didRead(nil, of: 7, before: mark), positions.updateAccount(nil, of: 7, before: mark),
            positions.didRead(AccountHead(id: 7, lineage: other, revision: 9, oldestRevision: 0), of: 7, before: mark),
        ]
        #expect(end == [false, true, true, true])
    }

    @Test func `a user's history is sent from its first change`() throws {
        var positions = positions()
        let user = VerifiedUser(issuer: "i", subject: "alice")
        let subscriber = Subscriber(readsConfig: false, user: user, tokenID: nil, expiresAt: nil)
        let number = positions.open(Stream(subscriber, config: nil, notes: nil))
        let firstJob = positions.nextJob()
        let first = try #require(check(firstJob))
        #expect(first.users == [user])
        expectRest(&positions)
        positions.announce(2, in: .account(7), at: .now)
        let secondJob = positions.nextJob()
        let second = try #require(check(secondJob))
        #expect(second.users == [user])
        positions.attachAccount(
            AccountHead(id: 7, lineage: "k3f9aaaa", revision: 2, oldestRevision: 0), of: user, at: .now)
        #expect(positions.id(of: number).description == "notes=0.k3f9aaaa")
        var jobs: [StreamPositions.Job] = []
        while jobs.count < 3, let job = positions.nextJob() { jobs.append(job) }
        #expect(jobs.contains { if case .read(.account(7), after: 0, _) = $0 { true } else { false } })
    }

    @Test func `hello tells a reader who resumes the newest revisions`() {
        var positions = positions(at: 7)
        #expect(positions.id(of: 1).description == "config=7.k3f9")
        #expect(positions.newest(for: 1).description == "config=100000.k3f9")
        positions.close(1)
        expectRest(&positions)
    }
}
