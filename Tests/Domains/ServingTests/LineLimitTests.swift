import Testing

@testable import AlmanacServing

@Suite struct LineLimitTests {
    @Test func `so many lines a minute are written, and the next one says how many were not`() {
        let start = ContinuousClock.now
        var limit = LineLimit()
        let first = (0..<100).map { _ in limit.admit(at: start) }
        #expect(first == [Int?](repeating: 0, count: 10) + [Int?](repeating: nil, count: 90))
        let later = [start + .seconds(59), start + .seconds(60), start + .seconds(60)].map { limit.admit(at: $0) }
        #expect(later == [nil, 91, 0])
    }
}
