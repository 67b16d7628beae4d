import AlmanacHTTP
import AlmanacTestRandomness
import Testing

@testable import AlmanacServing

/// Tests which requests start and which wait, without threads.
@Suite struct WorkQueueTests {
    private typealias Queue = WorkQueue<String>

    /// The limits are 10 threads for notes, 8 for pieces and 4 for each other kind; 9 connections for notes, 4 for
    /// config and 2 for pieces.
    private let limits = ConcurrencyLimits(threads: 32, connections: 16)

    private func caller(
        _ name: String, _ kind: WorkClaim.Kind = .notes, isChange: Bool = true, in environment: String = "a"
    ) -> Queue.Lane {
        Queue.Lane(environment: environment, claim: WorkClaim(kind, for: name, isChange: isChange))
    }

    private func admit(_ queue: inout Queue, _ caller: Queue.Lane, _ ticket: String = "") -> String {
        "\(queue.admit(caller, ticket))"
    }

    @Test func `the limits leave threads and a connection for what is in memory`() {
        for threads in 8...64 {
            let limits = ConcurrencyLimits(threads: threads, connections: 16)
            let kinds = WorkClaim.Kind.allCases.filter { $0 != .session }
            #expect(kinds.map(limits.maxPerProcess).reduce(limits.maxKeyWaits, +) < threads)
            #expect(limits.maxPerProcess(.session) + limits.maxKeyWaits < threads)
        }
        for connections in 4...64 {
            let limits = ConcurrencyLimits(threads: 32, connections: connections)
            let kinds: [WorkClaim.Kind] = [.notes, .config, .pieces]
            #expect(kinds.map(limits.maxPerEnvironment).reduce(0, +) < connections)
            #expect(limits.maxPerEnvironment(.session) < connections)
        }
        for kind in WorkClaim.Kind.allCases {
            #expect(ConcurrencyLimits(threads: 1, connections: 1).maxPerProcess(kind) == 1)
            #expect(ConcurrencyLimits(threads: 1, connections: 1).maxPerEnvironment(kind) == 1)
        }
    }

    @Test func `one account's changes are made one after the other, as they came`() {
        var queue = Queue(limits)
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
        var queue = Queue(limits)
        for number in 0..<9 { #expect(admit(&queue, caller("reader \(number)")) == "begins") }
        for number in 0..<10 { #expect(admit(&queue, caller("alice"), "alice \(number)") == "waits") }
        #expect(admit(&queue, caller("bob"), "bob 0") == "waits")
        let first = queue.end(caller("reader 0"))
        let second = queue.end(caller("reader 1"))
        #expect([first?.ticket, second?.ticket] == ["alice 0", "bob 0"])
    }

    @Test func `pieces of attachments don't wait for notes, nor notes for pieces`() {
        var queue = Queue(limits)
        for number in 0..<20 { _ = admit(&queue, caller("user \(number)", .pieces)) }
        #expect(admit(&queue, caller("user 0", .pieces)) == "waits")
        for number in 0..<9 { #expect(admit(&queue, caller("user \(number)")) == "begins") }
        #expect(admit(&queue, caller("user 0", .pieces, in: "b")) == "begins")
        #expect(admit(&queue, caller("user 0", .pieces, in: "b")) == "waits")
    }

    @Test func `one environment takes no more than its connections, and the other has some of the threads`() {
        var queue = Queue(limits)
        let began = (0..<32).count { admit(&queue, caller("user \($0)")) == "begins" }
        let beganThere = (0..<32).count { admit(&queue, caller("user \($0)", in: "b")) == "begins" }
        #expect(began == 9)
        #expect(beganThere == 1)
        #expect(admit(&queue, caller("job", .config)) == "begins")
        #expect(admit(&queue, caller("", .revision)) == "begins")
    }

    @Test func `streams that come back all at once wait for their sessions, and none is refused`() {
        var queue = Queue(ConcurrencyLimits(threads: 8, connections: 4))
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
        var queue = Queue(limits)
        for number in 0..<2000 { _ = admit(&queue, caller("user \(number)")) }
        #expect(queue.waiting == ConcurrencyLimits.maxWaitingInProcess)
        #expect(admit(&queue, caller("late")) == "full")
        for _ in 0..<4 { #expect(admit(&queue, caller("", .revision)) == "begins") }
        #expect(admit(&queue, caller("", .revision)) == "full")
    }

    @Test func `whatever comes and ends, the bounds hold, everyone has a turn, and nobody waits for nothing`() {
        var random = Randomness()
        var queue = WorkQueue<Int>(limits)
        var running: [WorkQueue<Int>.Lane] = []
        var waiting: [WorkQueue<Int>.Lane: [Int]] = [:]
        let callers = (0..<12).flatMap { number in
            WorkClaim.Kind.allCases.map { kind in
                WorkQueue<Int>.Lane(
                    environment: number.isMultiple(of: 2) ? "a" : "b",
                    claim: WorkClaim(
                        kind, for: kind == .revision ? "" : "\(number / 3)", isChange: number.isMultiple(of: 3)))
            }
        }
        func checkBounds() {
            for kind in WorkClaim.Kind.allCases {
                #expect(running.count { $0.claim.kind == kind } <= limits.maxPerProcess(kind), "\(random.note)")
            }
            for caller in Set(running) {
                #expect(running.count { $0 == caller } <= limits.maxPerCaller(caller.claim), "\(random.note)")
            }
        }
        func end(_ index: Int) {
            guard let next = queue.end(running.remove(at: index)) else { return }
            #expect(waiting[next.lane]?.removeFirst() == next.ticket, "\(random.note)")
            running.append(next.lane)
        }
        for number in 0..<TestDepth.runs(quick: 3000, standard: 3000, long: 30_000) {
            if Bool.random(using: &random), !running.isEmpty {
                end(Int.random(in: running.indices, using: &random))
            } else {
                let caller = callers.randomElement(using: &random)!
                switch queue.admit(caller, number) {
                case .begins: running.append(caller)
                case .waits: waiting[caller, default: []].append(number)
                case .callerHasTooMany, .full: break
                }
            }
            checkBounds()
        }
        while !running.isEmpty { end(Int.random(in: running.indices, using: &random)) }
        #expect(queue.waiting == 0 && waiting.values.allSatisfy(\.isEmpty), "\(random.note)")
    }
}
