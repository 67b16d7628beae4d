import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacWebhooks
import Testing

@testable import AlmanacEnvironments
@testable import AlmanacHooks

@Suite(.database(.migrated), .blocking) struct DelivererTests {
    private let outbox: OutboxFixture
    private let deliverer: Deliverer

    init() throws {
        outbox = try OutboxFixture()
        let database = outbox.database
        let login = database.settings(user: TestDatabase.worker)
        let settings = EnvironmentSettings(
            name: try #require(EnvironmentName("production")), database: login,
            owner: database.settings(user: TestDatabase.owner), configRead: .token, origins: [], limits: Limits(),
            consoleOrigin: "https://console.example.com",
            hooks: try ReachableAddresses(allow: ["127.0.0.1"], http: true, ports: Array(1024...65535)))
        deliverer = Deliverer(settings, pool: Pool(login, size: 2))
    }

    private func deliverAll() throws { while try deliverer.step() {} }

    @Test func `a release is signed and names its changes`() throws {
        let server = try ScriptedServer { _ in .response("204 No Content") }
        try outbox.addHook("aaaaaaaaaaaa", server)
        try outbox.release(7)
        try deliverAll()
        let message = try #require(server.messages.first)
        let body = try #require(message.split(separator: "\r\n\r\n", maxSplits: 1).last)
        #expect(
            String(body) == """
                {"type":"release.created","timestamp":"2026-12-01T10:00:07.000Z","data":{"environment":"production",\
                "revision":7,"previous_revision":6,"version":"1.7.0","author":"Ada","message":"Raise it",\
                "address":"https://console.example.com/#/production/releases/7",\
                "changes":[{"key":"pay.limit","before":1,"after":2}]}}
                """)
        let seconds = try #require(Int64(try outbox.header("webhook-timestamp", message)))
        let signature = WebhookSecret.signature(
            of: Array(body.utf8), id: try outbox.header("webhook-id", message), at: seconds,
            by: [try #require(WebhookSecret(OutboxFixture.secret))])
        #expect(try outbox.header("webhook-signature", message) == signature)
        #expect(try outbox.count("state = 'delivered' and status = 204") == 1)
    }

    @Test func `later events wait for a failed one, and each arrives in order`() throws {
        let isUp = Monitor(false)
        let server = try ScriptedServer { _ in isUp.read { $0 } ? .response() : .response("503 Down") }
        try outbox.addHook("aaaaaaaaaaaa", server)
        for revision in 1...3 { try outbox.release(revision) }
        try deliverAll()
        #expect(try server.messages.map(outbox.id) == ["r1:release:created"])
        isUp.update { $0 = true }
        try outbox.passTime()
        try deliverAll()
        #expect(
            try server.messages.map(outbox.id) == [
                "r1:release:created", "r1:release:created", "r2:release:created", "r3:release:created",
            ])
    }

    /// The end of a process between the lease and the result leaves the row as the lease did.
    @Test func `a delivery whose worker died is sent again after its lease, and not before`() throws {
        let server = try ScriptedServer { _ in .response() }
        try outbox.addHook("aaaaaaaaaaaa", server)
        try outbox.release(1)
        let lost = try #require(try Outbox.lease(on: outbox.connection))
        try deliverAll()
        #expect(server.messages == [])
        try outbox.passTime()
        try deliverAll()
        #expect(try server.messages.map(outbox.id) == ["r1:release:created"])
        // The result of the lost attempt, if it still comes, changes nothing.
        try Outbox.finish(lost, status: nil, milliseconds: 1, .retry(seconds: 5), on: outbox.connection)
        #expect(try outbox.count("state = 'delivered' and attempts = 2") == 1)
    }

    @Test func `a receiver that is gone disables its hook, and the other hooks learn of it`() throws {
        let gone = try ScriptedServer { _ in .response("410 Gone") }
        let server = try ScriptedServer { _ in .response() }
        try outbox.addHook("aaaaaaaaaaaa", gone)
        try outbox.addHook("bbbbbbbbbbbb", server)
        try outbox.release(1)
        try outbox.release(2)
        try deliverAll()
        #expect(gone.messages.count == 1)
        let last = try #require(server.messages.last)
        #expect(server.messages.count == 3 && last.contains(#""data":{"environment":"production""#))
        #expect(last.contains(#""hook":"aaaaaaaaaaaa""#) && last.contains(#""reason":"gone""#))
    }

    @Test(arguments: [
        "update api_tokens set revoked_at = now()", "update api_tokens set scopes = '{flags:evaluate}'",
        "update config_changes set before = null, after = null, purged = true",
    ])
    func `values stay behind once the maker may not read them, and after a purge`(_ change: String) throws {
        let server = try ScriptedServer { _ in .response() }
        try outbox.addHook("aaaaaaaaaaaa", server)
        try outbox.release(1, to: #""secret""#)
        try outbox.connection.execute(script: change)
        try deliverAll()
        #expect(try #require(server.messages.first).contains(#""changes":[{"key":"pay.limit"}]"#))
    }

    @Test func `a hook gets only the keys that it asks for`() throws {
        let server = try ScriptedServer { _ in .response() }
        try outbox.addHook("aaaaaaaaaaaa", server)
        try outbox.connection.execute(script: "update hooks set keys = '{pay.*,banner}'")
        for (revision, key) in ["pay.limit", "payment", "banner", "banners"].enumerated() {
            try outbox.release(revision + 1, key: key)
        }
        try deliverAll()
        #expect(try server.messages.map(outbox.id) == ["r1:release:created", "r3:release:created"])
        // A retired major is a release without keys, which every hook gets.
        try outbox.connection.execute(
            script: """
                insert into config_releases (revision, major, minor, patch, released_at, kind, author, message)
                values (5, 1, 5, 0, timestamptz '2026-12-01T10:00:05Z', 'retire', 'Ada', 'Retire 1')
                """)
        try deliverAll()
        #expect(try server.messages.last.map(outbox.id) == "r5:release:created")
    }

    @Test func `an event of a proposal is in the outbox once, and only if its transaction commits`() throws {
        let server = try ScriptedServer { _ in .response() }
        try outbox.addHook("aaaaaaaaaaaa", server)
        try outbox.connection.execute(script: "update hooks set types = '{proposal.submitted}'")
        struct Refused: Error {}
        func add() throws {
            try Outbox.add(
                .proposalSubmitted, id: "l:p4:1", facts: JSONObject([("number", 4)]), on: outbox.connection)
        }
        #expect(throws: Refused.self) {
            try outbox.connection.transaction(opening: []) { _, _ in
                try add()
                throw Refused()
            }
        }
        #expect(try outbox.count("true") == 0)
        try add()
        try add()
        try deliverAll()
        #expect(server.messages.count == 1 && server.messages[0].contains(#""number":4"#))
    }
}
