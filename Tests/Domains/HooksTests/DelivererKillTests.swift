import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacHooks

/// Tests that kill the process that sends deliveries.
@Suite(.database(.migrated), .blocking) struct DelivererKillTests {
    private let outbox: OutboxFixture
    private let proxy: KillingProxy
    private let folder: TemporaryFolder

    init() throws {
        outbox = try OutboxFixture()
        proxy = try KillingProxy()
        folder = try TemporaryFolder()
    }

    /// Adds a hook for a server. Returns the task of a worker that sends the deliveries.
    private func addHook(_ server: ScriptedServer) throws -> [String] {
        try outbox.addHook("aaaaaaaaaaaa", server)
        let settings: JSONValue = [
            "production": [
                "database": .string(proxy.conninfo(of: outbox.database, user: TestDatabase.worker)),
                "hooks": ["allow": ["127.0.0.1"], "http": true, "ports": [.number(JSONNumber(Int64(server.port)))]],
            ]
        ]
        return [try folder.write("environments.json", settings.serialized()), "deliver"]
    }

    @Test func `each event arrives at least once and in order, though the sender is killed at each step`() throws {
        let server = try ScriptedServer { _ in .response("204 No Content") }
        let task = try addHook(server)
        let events = 1...6
        for revision in events { try outbox.release(revision) }
        var killedBefore: [String] = []
        while true {
            let run = try proxy.run(
                Checkout.program("almanac-worker-task"), task, killingAfter: killedBefore.count, from: "delivery_lease")
            guard let name = run.killedBefore else { break }
            killedBefore.append(name)
            try outbox.passTime()
        }
        // After the third statement, an outcome was stored.
        #expect(killedBefore.starts(with: ["delivery_lease", "delivery_changes", "delivery_finish", "delivery_lease"]))
        let received = try server.messages.map(outbox.id)
        let ids = events.map { "r\($0):release:created" }
        #expect(received == received.sorted() && Set(received) == Set(ids), "\(received)")
        #expect(received.count > ids.count, "an event whose outcome was not stored arrives again")
        #expect(try outbox.count("state = 'delivered'") == ids.count)
    }

    @Test func `an event whose sender is killed before the answer arrives again, before the next one`() throws {
        let sender = Monitor<BackgroundCommand?>(nil)
        let isFirst = Monitor(true)
        let server = try ScriptedServer { _ in
            let isFirst = isFirst.update { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isFirst else { return .response() }
            sender.wait(upTo: .seconds(10)) { $0 }?.kill()
            return .silence
        }
        let task = try addHook(server)
        for revision in 1...2 { try outbox.release(revision) }
        let program = try BackgroundCommand(Checkout.program("almanac-worker-task"), task)
        sender.update { $0 = program }
        #expect(program.wait(upTo: .seconds(20)) == 137)
        #expect(try outbox.count("state = 'open' and leased_until is not null and status is null") == 1)
        try outbox.passTime()
        _ = try proxy.run(
            Checkout.program("almanac-worker-task"), task, killingAfter: nil, from: "delivery_lease")
        #expect(
            try server.messages.map(outbox.id) == ["r1:release:created", "r1:release:created", "r2:release:created"])
    }
}
