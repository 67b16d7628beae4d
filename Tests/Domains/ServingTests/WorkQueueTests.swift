import AlmanacHTTP
import AlmanacTestRandomness
import Testing

@testable import AlmanacServing

/// Tests which requests start and which wait, without threads.
@Suite struct WorkQueueTests {
    private typealias Queue = WorkQueue<String>

    /// The shares are 16 threads for notes and 4 for each other kind, 11 connections for notes and 4 for config.
    private let shares = WorkShares(threads: 32, connections: 16)

    private func caller(
        _ name: String, _ work: Claim.Work = .notes, isChange: Bool = true, in environment: String = "a"
    ) -> Queue.Caller {
        Queue.Caller(environment: environment, claim: Claim(work, for: name, isChange: isChange))
    }

    private func admit(_ queue: inout Queue, _ caller: Queue.Caller, _ ticket: String = "") -> String {
        "\(queue.admit(caller, ticket))"
    }

    @Test func `the shares leave threads and a connection for what is in memory`() {
        for threads in 8...64 {
            let shares = WorkShares(threads: threads, connections: 16)
            let works = Claim.Work.allCases.filter { $0 != .session }
            #expect(works.map(shares.inProcess).reduce(shares.keyWaits, +) < threads)
            #expect(shares.inProcess(.session) + shares.keyWaits < threads)
        }
        for connections in 3...64 {
            let shares = WorkShares(threads: 32, connections: connections)
            #expect(shares.inEnvironment(.notes) + shares.inEnvironment(.config) < connections)
            #expect(shares.inEnvironment(.session) < connections)
        }
        for work in Claim.Work.allCases {
            #expect(WorkShares(threads: 1, connections: 1).inProcess(work) == 1)
            #expect(WorkShares(threads: 1, connections: 1).inEnvironment(work) == 1)
        }
    }

    @Test func `one account's changes are made one after the other, as they came`() {
        var queue = Queue(shares)
        let alice = caller("alice")
        #expect(admit(&queue, alice) == "begins")
        for number in 0..<64 { #expect(admit(&queue, alice, "\(number)") == "waits") }
        #expect(admit(&queue, alice) == "callerHasTooMany")
        #expect(admit(&queue, caller("bob")) == "begins")
        #expect(admit(&queue, caller("alice", isChange: false)) == "begins")
        var order: [String] = []
        while let next = queue.end(alice) { order.append(next.ticket) }
        #expect(order == (0..<64).map { "\($0)" })
        #expect(queue.waiting == 0)
    }

    @Test func `callers take turns, however many requests each of them has sent`() {
        var queue = Queue(shares)
        for number in 0..<11 { #expect(admit(&queue, caller("reader \(number)")) == "begins") }
        for number in 0..<10 { #expect(admit(&queue, caller("alice"), "alice \(number)") == "waits") }
        #expect(admit(&queue, caller("bob"), "bob 0") == "waits")
        let first = queue.end(caller("reader 0"))
        let second = queue.end(caller("reader 1"))
        #expect([first?.ticket, second?.ticket] == ["alice 0", "bob 0"])
    }

    @Test func `one environment takes no more than its connections, and the other has some of the threads`() {
        var queue = Queue(shares)
        let began = (0..<32).count { admit(&queue, caller("user \($0)")) == "begins" }
        let beganThere = (0..<32).count { admit(&queue, caller("user \($0)", in: "b")) == "begins" }
        #expect(began == 11)
        #expect(beganThere == 5)
        #expect(admit(&queue, caller("job", .config)) == "begins")
        #expect(admit(&queue, caller("", .revision)) == "begins")
    }

    @Test func `streams that come back all at once wait for their sessions, and none is refused`() {
        var queue = Queue(WorkShares(threads: 8, connections: 4))
        let stream = caller("", .session, isChange: false)
        for _ in 0..<3 { #expect(admit(&queue, stream) == "begins") }
        for number in 0..<1000 { #expect(admit(&queue, stream, "\(number)") == "waits") }
        // A request of another environment gets the remaining thread.
        #expect(admit(&queue, caller("", .session, isChange: false, in: "b")) == "begins")
        var order: [String] = []
        while let next = queue.end(stream) { order.append(next.ticket) }
        #expect(order == (0..<1000).map { "\($0)" })
    }

    @Test func `the queue has an end`() {
        var queue = Queue(shares)
        for number in 0..<2000 { _ = admit(&queue, caller("user \(number)")) }
        #expect(queue.waiting == WorkShares.mostWaiting)
        #expect(admit(&queue, caller("late")) == "full")
        for _ in 0..<4 { #expect(admit(&queue, caller("", .revision)) == "begins") }
        #expect(admit(&queue, caller("", .revision)) == "full")
    }

    @Test func `whatever comes and ends, the bounds hold, everyone has a turn, and nobody waits for nothing`() {
        var random = Randomness()
        var queue = WorkQueue<Int>(shares)
        var atWork: [WorkQueue<Int>.Caller] = []
        var waiting: [WorkQueue<Int>.Caller: [Int]] = [:]
        let callers = (0..<12).flatMap { number in
            Claim.Work.allCases.map { work in
                WorkQueue<Int>.Caller(
                    environment: number.isMultiple(of: 2) ? "a" : "b",
                    claim: Claim(
                        work, for: work == .revision ? "" : "\(number / 3)", isChange: number.isMultiple(of: 3)))
            }
        }
        func checkBounds() {
            for work in Claim.Work.allCases {
                #expect(atWork.count { $0.claim.work == work } <= shares.inProcess(work), "\(random.note)")
            }
            for caller in Set(atWork) {
                #expect(atWork.count { $0 == caller } <= shares.ofCaller(caller.claim), "\(random.note)")
            }
        }
        func end(_ index: Int) {
            guard let next = queue.end(atWork.remove(at: index)) else { return }
            #expect(waiting[next.caller]?.removeFirst() == next.ticket, "\(random.note)")
            atWork.append(next.caller)
        }
        for number in 0..<TestDepth.runs(quick: 3000, standard: 3000, long: 30_000) {
            if Bool.random(using: &random), !atWork.isEmpty {
                end(Int.random(in: atWork.indices, using: &random))
            } else {
                let caller = callers.randomElement(using: &random)!
                switch queue.admit(caller, number) {
                case .begins: atWork.append(caller)
                case .waits: waiting[caller, default: []].append(number)
                case .callerHasTooMany, .full: break
                }
            }
            checkBounds()
        }
        while !atWork.isEmpty { end(Int.random(in: atWork.indices, using: &random)) }
        #expect(queue.waiting == 0 && waiting.values.allSatisfy(\.isEmpty), "\(random.note)")
    }
}
