import AlmanacIdentity
import Testing

@testable import AlmanacEventsDomain

@Suite struct SeatsTests {
    private func user(_ name: String) -> VerifiedUser { VerifiedUser(issuer: "i", subject: name) }

    @Test func `who has taken all seats gets none until one is given back`() throws {
        let seats = Seats()
        var taken = try (0..<3).map { _ in try #require(seats.take(user("alice"), limit: 3)) }
        #expect(seats.take(user("alice"), limit: 3) == nil)
        #expect(seats.take(user("bob"), limit: 3) != nil)
        taken.removeLast()
        let last = seats.take(user("alice"), limit: 3)
        #expect(last != nil)
        #expect(seats.take(user("alice"), limit: 3) == nil)
    }

    @Test func `a limit of none gives none`() {
        #expect(Seats().take(user("alice"), limit: 0) == nil)
    }
}
