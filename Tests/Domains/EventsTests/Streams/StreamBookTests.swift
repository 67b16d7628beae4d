import AlmanacIdentity
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@testable import AlmanacEventsDomain

@Suite struct StreamBookTests {
    /// How many simulated worlds a run looks at; `ALMANAC_TEST_RUNS` asks for more.
    private static let runs = Process.variable("ALMANAC_TEST_RUNS").flatMap { Int($0) } ?? 40

    /// The seed of a failure, given as `ALMANAC_TEST_SEED`, is that of the first world.
    @Test func `at random, every stream is told of every revision once and in order, and the work has an end`() throws {
        let seed = Randomness().seed
        for run in 0..<Self.runs {
            let world = seed &+ UInt64(run)
            do {
                var streams = SimulatedStreams(seed: world)
                for _ in 0..<300 { try streams.step() }
                _ = try streams.settle()
                try streams.check()
            } catch {
                Issue.record("ALMANAC_TEST_SEED=\(world) ALMANAC_TEST_RUNS=1: \(error)")
                return
            }
        }
    }

    private static let head = ConfigHead(lineage: "k3f9", revision: 100_000, oldestRevision: 0, version: "1.0.0")
    private let anyone = Audience(readsConfig: true, user: nil, tokenID: nil, expiresAt: nil)

    private func book(_ places: Int64...) -> StreamBook {
        var book = StreamBook()
        _ = book.note(head: Self.head)
        for place in places { _ = book.open(Stream(anyone, config: place, notes: nil)) }
        return book
    }

    private func start(of job: StreamBook.Job?) -> Int64? {
        guard case .read(.config, let place, _) = job else { return nil }
        return place
    }

    private func expectRest(_ book: inout StreamBook, sourceLocation: SourceLocation = #_sourceLocation) {
        let job = book.nextJob()
        #expect(job == nil, sourceLocation: sourceLocation)
    }

    private func check(_ job: StreamBook.Job?) -> StreamBook.Watched? {
        guard case .check(let watched) = job else { return nil }
        return watched
    }

    @Test func `those who follow live take turns with one who is far behind, however fast changes come`() throws {
        var book = book(100_000, 0)
        var (live, behind) = (0, 0)
        for revision in Int64(100_001)...100_100 {
            // There is always news for those who follow live.
            book.note(.config, announced: revision)
            let job = book.nextJob()
            let place = try #require(start(of: job))
            if place < 90_000 { behind += 1 } else { live += 1 }
            for number in book.readers(of: .config, from: place) where book.streams[number]?.config == place {
                // As far as one page leads.
                book.note(number, told: min(revision, place + 200), of: .config)
            }
        }
        #expect(live >= 45 && behind >= 45, "\(live) and \(behind)")
    }

    @Test func `one reading serves all who stand at the same place`() throws {
        var book = book(99_999, 99_999, 99_999)
        let job = book.nextJob()
        let place = try #require(start(of: job))
        #expect(place == 99_999)
        #expect(book.readers(of: .config, from: place).count == 3)
        for number in 1...3 { book.note(number, told: 100_000, of: .config) }
        expectRest(&book)
    }

    @Test func `who takes nothing is not read for, until they take more again`() {
        var book = book(99_999)
        book.note(1, isBlocked: true)
        expectRest(&book)
        book.note(.config, announced: 100_001)
        expectRest(&book)
        book.note(1, isBlocked: false)
        let job = book.nextJob()
        #expect(start(of: job) == 99_999)
    }

    @Test func `another lineage, or fewer revisions, is another history`() {
        var book = book(100_000)
        let other = ConfigHead(lineage: "zzzz", revision: 100_000, oldestRevision: 0, version: "1.0.0")
        let areReplaced = [book.note(head: Self.head), book.note(head: other)]
        #expect(areReplaced == [false, true])
        var second = self.book(100_000)
        let earlier = ConfigHead(lineage: "k3f9", revision: 99_000, oldestRevision: 0, version: "1.0.0")
        let isReplaced = second.note(head: earlier, before: History.Mark(read: 100_000))
        #expect(isReplaced)
    }

    @Test func `an account that is gone, or another one, ends its streams`() {
        var book = book()
        let user = VerifiedUser(issuer: "i", subject: "alice")
        let audience = Audience(readsConfig: false, user: user, tokenID: nil, expiresAt: nil)
        _ = book.open(Stream(audience, config: nil, notes: .init(account: 7, lineage: "k3f9aaaa", revision: 5)))
        let mark = History.Mark(read: 5)
        let (same, other) = ("k3f9aaaa", "zzzzaaaa")
        let end = [
            book.note(7, AccountHead(id: 7, lineage: same, revision: 6, oldestRevision: 0), before: mark),
            book.note(7, nil, before: mark), book.note(7, moved: nil, before: mark),
            book.note(7, AccountHead(id: 7, lineage: other, revision: 9, oldestRevision: 0), before: mark),
        ]
        #expect(end == [false, true, true, true])
    }

    @Test func `a user's first change is told from the beginning`() throws {
        var book = book()
        let user = VerifiedUser(issuer: "i", subject: "alice")
        let audience = Audience(readsConfig: false, user: user, tokenID: nil, expiresAt: nil)
        let number = book.open(Stream(audience, config: nil, notes: nil))
        let firstJob = book.nextJob()
        let first = try #require(check(firstJob))
        #expect(first.users == [user])
        expectRest(&book)
        book.note(.account(7), announced: 2)
        let secondJob = book.nextJob()
        let second = try #require(check(secondJob))
        #expect(second.users == [user])
        book.note(AccountHead(id: 7, lineage: "k3f9aaaa", revision: 2, oldestRevision: 0), of: user)
        #expect(book.id(of: number).description == "notes=0.k3f9aaaa")
        var jobs: [StreamBook.Job] = []
        while jobs.count < 3, let job = book.nextJob() { jobs.append(job) }
        #expect(jobs.contains { if case .read(.account(7), after: 0, _) = $0 { true } else { false } })
    }

    @Test func `hello tells a reader who resumes where the histories are`() {
        var book = book(7)
        #expect(book.id(of: 1).description == "config=7.k3f9")
        #expect(book.newest(for: 1).description == "config=100000.k3f9")
        book.close(1)
        expectRest(&book)
    }
}
