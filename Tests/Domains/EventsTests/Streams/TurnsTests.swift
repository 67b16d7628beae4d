import Testing

@testable import AlmanacEventsDomain

@Suite struct TurnsTests {
    @Test func `everyone has one turn, in the order in which they asked`() {
        var turns = Turns()
        for scope in [.config, .account(1), .config, .account(2), .account(1)] as [StreamScope] { turns.append(scope) }
        #expect(turns.next() == .config)
        turns.append(.config)
        #expect([turns.next(), turns.next(), turns.next(), turns.next()] == [.account(1), .account(2), .config, nil])
    }

    @Test func `a queue that is never empty keeps its order`() {
        var turns = Turns()
        for id in 0..<10 { turns.append(.account(Int64(id))) }
        for step in 0..<100_000 {
            #expect(turns.next() == .account(Int64(step % 10)))
            turns.append(.account(Int64(step % 10)))
        }
    }
}
