import AlmanacClientRuntime
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SharedOperationTests {
    /// Work that ends when a test finishes it, or when it is cancelled.
    private final class Job: Sendable {
        private let ends: AsyncStream<Int>
        private let end: AsyncStream<Int>.Continuation
        let log = Monitor<[String]>([])

        init() { (ends, end) = AsyncStream.makeStream() }

        func finish(_ number: Int) { end.yield(number) }

        func run() async -> Int {
            log.update { $0.append("begins") }
            for await number in ends {
                log.update { $0.append("ends") }
                return number
            }
            log.update { $0.append("is cancelled") }
            return -1
        }

        func has(_ log: [String]) async throws -> Bool { try await eventuallyAsync { self.log.read { $0 } == log } }
    }

    private func caller(_ shared: SharedOperation<Int>, _ job: Job) -> Task<Int?, Never> {
        Task { await shared.value { await job.run() } }
    }

    @Test func `a caller that is cancelled leaves, and the work goes on for the others`() async throws {
        let (shared, job) = (SharedOperation<Int>(), Job())
        var callers = [caller(shared, job)]
        #expect(try await job.has(["begins"]))
        for _ in 0..<10 { callers.append(caller(shared, job)) }
        // Cancel callers before, while and after they join.
        for caller in callers.dropFirst() { caller.cancel() }
        for caller in callers.dropFirst() { #expect(await caller.value == nil) }
        job.finish(7)
        #expect(await callers[0].value == 7)
        #expect(job.log.read { $0 } == ["begins", "ends"])
    }

    @Test func `work that nobody waits for any more is cancelled, and the next caller begins anew after it`()
        async throws
    {
        let (shared, job) = (SharedOperation<Int>(), Job())
        let first = caller(shared, job)
        #expect(try await job.has(["begins"]))
        first.cancel()
        #expect(await first.value == nil)
        #expect(try await job.has(["begins", "is cancelled"]))
        let other = Job()
        let second = caller(shared, other)
        #expect(try await other.has(["begins"]))
        other.finish(8)
        #expect(await second.value == 8)
    }

    @Test func `work that outlives its callers is joined by the next one`() async throws {
        let (shared, job) = (SharedOperation<Int>(outlivesCallers: true), Job())
        let first = caller(shared, job)
        #expect(try await job.has(["begins"]))
        first.cancel()
        #expect(await first.value == nil)
        let other = Job()
        let second = caller(shared, other)
        job.finish(9)
        // The second caller may have arrived after the end of the first work.
        #expect(try await eventuallyAsync { job.log.read { $0 } == ["begins", "ends"] })
        other.finish(9)
        #expect(await second.value == 9)
        #expect(job.log.read { $0 } == ["begins", "ends"])
    }

    @Test func `what keeps the work from beginning is thrown, and the next caller may begin it`() async throws {
        let shared = SharedOperation<Int>()
        await #expect(throws: CancellationError.self) {
            try await shared.value { () throws(CancellationError) in throw CancellationError() }
        }
        #expect(await shared.value { 1 } == 1)
        #expect(await shared.value { 2 } == 2)
    }
}
