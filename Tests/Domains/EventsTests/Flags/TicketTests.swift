import AlmanacHTTP
import AlmanacIdentity
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacEnvironments
@testable import AlmanacEventsDomain

/// Tests tickets, which replace a token in the address of a stream about flags.
@Suite(.database(.migrated)) struct TicketTests {
    private let start = ContinuousClock.now
    private let time: TestClock

    init() { time = TestClock(start, milliseconds: 1_790_000_000_000) }

    private func instance(_ configRead: EnvironmentSettings.ConfigRead = .token) throws -> EventsInstance {
        try EventsInstance(configRead: configRead, clock: time.server)
    }

    /// Returns the query of a stream's address.
    private func query(_ address: EventAddress) throws -> String {
        try #require(address.requestURI.hasPrefix("/development/events?"))
        return String(address.requestURI.dropFirst("/development/events".count))
    }

    private func refusal(_ query: String, _ instance: EventsInstance) throws -> String? {
        guard let problem = try instance.problem(query: query) else { return nil }
        #expect(problem.kind == .tokenRefused)
        return problem.detail
    }

    @Test func `a ticket opens a stream about flags and nothing else, and stays the same for half an hour`() throws {
        let instance = try instance()
        let token = try instance.makeToken(.flagsEvaluate)
        #expect(try instance.problem(token: token.text)?.kind == .scopeTooSmall)
        let address = try instance.address(for: token.text)
        let reader = try instance.open(query: try query(address))
        let hello = try #require(try reader.next("hello"))
        #expect(hello.text("config") != nil && hello.text("notes") == nil)
        time.advance(by: .seconds(600))
        #expect(try instance.address(for: token.text) == address)
        time.advance(by: .seconds(1800))
        let later = try instance.address(for: token.text)
        #expect(later.epoch == address.epoch + 1 && later.requestURI != address.requestURI)
        #expect(try instance.problem(query: try query(address)) == nil, "it opens streams a while longer")
    }

    @Test func `a ticket is refused when it has expired or was changed, or its token is not good any more`() throws {
        let instance = try instance()
        let token = try instance.makeToken(.flagsEvaluate)
        let good = try query(try instance.address(for: token.text))
        let ticket = good.dropFirst("?ticket=".count)
        let parts = ticket.split(separator: ".").map(String.init)
        #expect(parts.count == 4)
        #expect(try refusal(good, instance) == nil)
        let expiry = try #require(Int64(parts[0]))
        let longer = [String(expiry + 1), parts[1], parts[2], parts[3]]
        let other = [parts[0], parts[1], "aaaaaaaa", parts[3]]
        let endless = [parts[0], "1", parts[2], parts[3]]
        let flipped = [parts[0], parts[1], parts[2], (parts[3].first == "A" ? "B" : "A") + parts[3].dropFirst()]
        for forged in [longer, other, endless, flipped, [parts[0], parts[1], parts[2], "AAAA"]] {
            #expect(
                try refusal("?ticket=" + forged.joined(separator: "."), instance)?.contains(
                    "not valid for the present state of this environment") == true)
        }
        for broken in ["", "x", "1.2.3", "1.2.3.4.5", "-1.0.x.\(parts[3])x", String(repeating: "9", count: 300)] {
            #expect(try refusal("?ticket=\(broken)", instance) != nil, "\(broken)")
        }
        time.set(start, milliseconds: expiry * 1000)
        #expect(try refusal(good, instance)?.contains("has expired") == true)
        time.set(start, milliseconds: 1_790_000_000_000)
        let reader = try instance.open(query: good)
        _ = try reader.next("hello")
        try instance.revoke(token.id)
        instance.hub.recheckTokens(instance.tokens.isValid)
        #expect(try reader.next("bye")?.text("reason") == "token-revoked")
        #expect(try refusal(good, instance)?.contains("revoked") == true)
    }

    @Test func `a ticket is worth nothing in another environment, and nothing in another history`() throws {
        let instance = try instance()
        let token = try instance.makeToken(.flagsEvaluate)
        let good = try query(try instance.address(for: token.text))
        // A copy of a database has the same ticket key.
        let other = EventTickets(
            EnvironmentName("production")!,
            pool: Pool(instance.database.settings(user: TestDatabase.worker), size: 1), clock: time.server)
        try other.refresh()
        let lineage = try #require(instance.hub.head?.lineage)
        let text = String(good.dropFirst("?ticket=".count))
        #expect(throws: Problem.self) { try other.ticket(text, lineage: lineage) }
        #expect(try instance.tickets.ticket(text, lineage: lineage).tokenID == token.id)
        // A restore by `almanac` renews the lineage.
        try instance.asSuperuser("update config_head set lineage = 'restored'")
        instance.hub.check()
        #expect(eventually { instance.hub.head?.lineage == "restored" })
        #expect(try refusal(good, instance)?.contains("present state of this environment") == true)
        #expect(try refusal(try query(try instance.address(for: token.text)), instance) == nil)
        // With another key, every ticket signed with the old key is invalid.
        let fresh = try query(try instance.address(for: token.text))
        try instance.asSuperuser("update event_ticket_keys set key = sha256('another')")
        try instance.tickets.refresh()
        #expect(try refusal(fresh, instance)?.contains("present state of this environment") == true)
    }

    @Test func `the ticket of a token that ends opens nothing after that`() throws {
        let instance = try instance()
        let end = Timestamp(milliseconds: 1_790_000_060_000)
        let tickets = instance.tickets
        let caller = Caller(name: "app", scopes: [.flagsEvaluate], tokenID: "abcd1234", expiresAt: end)
        let lineage = try #require(instance.hub.head?.lineage)
        let address = try #require(tickets.address(for: caller, isPublic: false, lineage: lineage, base: ""))
        let text = String(address.requestURI.dropFirst("/events?ticket=".count))
        #expect(try tickets.ticket(text, lineage: lineage).expiresAt == end.milliseconds)
        time.advance(by: .seconds(60))
        #expect(throws: Problem.self) { try tickets.ticket(text, lineage: lineage) }
    }

    @Test func `a public environment's streams need no ticket`() throws {
        let instance = try instance(.everyone)
        let lineage = try #require(instance.hub.head?.lineage)
        let address = try #require(
            instance.tickets.address(for: nil, isPublic: true, lineage: lineage, base: "/development"))
        #expect(address.requestURI == "/development/events?ofrep=true" && address.epoch == 0)
        #expect(try instance.open(query: try query(address)).next("hello") != nil)
        let closed = try self.instance()
        #expect(try closed.problem(query: "?ofrep=true")?.kind == .tokenNeeded)
    }
}
