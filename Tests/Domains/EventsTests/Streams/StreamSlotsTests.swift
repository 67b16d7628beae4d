import AlmanacIdentity
import Testing

@testable import AlmanacEventsDomain

@Suite struct StreamSlotsTests {
    private func user(_ name: String) -> VerifiedUser { VerifiedUser(issuer: "i", subject: name) }

    @Test func `a user who has taken all slots gets none until one is given back`() throws {
        let slots = StreamSlots()
        var taken = try (0..<3).map { _ in try #require(slots.acquire(user("alice"), limit: 3)) }
        #expect(slots.acquire(user("alice"), limit: 3) == nil)
        #expect(slots.acquire(user("bob"), limit: 3) != nil)
        taken.removeLast()
        let last = slots.acquire(user("alice"), limit: 3)
        #expect(last != nil)
        #expect(slots.acquire(user("alice"), limit: 3) == nil)
    }

    @Test func `a limit of none gives none`() {
        #expect(StreamSlots().acquire(user("alice"), limit: 0) == nil)
    }
}
