import Testing

@testable import AlmanacEventsDomain

@Suite struct ReadQueueTests {
    @Test func `every history is read once, in the order in which they came`() {
        var queue = ReadQueue()
        for scope in [.config, .account(1), .config, .account(2), .account(1)] as [StreamScope] { queue.append(scope) }
        #expect(queue.next() == .config)
        queue.append(.config)
        #expect([queue.next(), queue.next(), queue.next(), queue.next()] == [.account(1), .account(2), .config, nil])
    }

    @Test func `a queue that is never empty keeps its order`() {
        var queue = ReadQueue()
        for id in 0..<10 { queue.append(.account(Int64(id))) }
        for step in 0..<100_000 {
            #expect(queue.next() == .account(Int64(step % 10)))
            queue.append(.account(Int64(step % 10)))
        }
    }
}
