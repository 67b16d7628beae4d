import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// Tests two workers on one environment that communicate only through PostgreSQL.
@Suite(.database(.migrated)) struct NotificationTests {
    private func subscribe(_ instance: ConfigInstance) throws -> Subscription {
        try Subscription(
            instance.database.settings(user: TestDatabase.worker), channels: [ConfigService.channel],
            interval: .seconds(60), threadName: "test-listen"
        ) { change in
            if case .disconnected = change { return instance.service.markStale() }
            try? instance.service.refresh()
        }
    }

    @Test func `another worker learns of a release by its notification`() throws {
        let here = try ConfigInstance()
        let there = try ConfigInstance(on: here.database)
        let subscription = try subscribe(there)
        defer { subscription.stop() }
        // The first release may precede the subscription, which then finds it when it connects.
        for value in 1...20 {
            try here.put("a", "\(value)")
            #expect(there.service.store.wait(for: Int64(value), timeout: .seconds(20)))
            #expect(try there.call("GET", "/config").entries == "a=\(value)")
        }
    }

    @Test func `each step of a proposal is announced with its number and version`() throws {
        let team = try ProposalTeam()
        let payloads = Monitor<[String]>([])
        let subscription = try Subscription(
            team.instance.database.settings(user: TestDatabase.worker), channels: [ConfigService.proposalsChannel],
            interval: .seconds(60), threadName: "test-listen"
        ) { change in
            switch change {
            case .notified(let notifications): payloads.update { $0 += notifications.map(\.payload) }
            case .connected: payloads.update { $0.append("connected") }
            case .quiet, .disconnected: break
            }
        }
        defer { subscription.stop() }
        func announced(_ version: Int, times: Int = 1) -> Bool {
            eventually(within: .seconds(20)) { payloads.read { $0.count { $0 == "1 \(version)" } } == times }
        }
        #expect(eventually(within: .seconds(20)) { payloads.read { $0 } == ["connected"] })
        let number = try team.propose(#"{"banner":"Winter sale"}"#)
        #expect(announced(2))
        try team.review(number, "approve", by: "cleo").expecting(201)
        // A review is no part of the version.
        #expect(announced(2, times: 2))
        try team.change(number, #"{"apply_at":"2099-01-01T00:00:00Z"}"#, by: "ada").expecting(200)
        #expect(announced(3))
        try team.makeDue(number)
        try team.instance.service.applyDueProposals()
        #expect(announced(4))
    }

    @Test func `a worker that gets no notification finds every release by looking`() throws {
        let here = try ConfigInstance()
        let there = try ConfigInstance(on: here.database)
        try here.patch(#"{"a":1,"b":1}"#)
        try here.delete("b")
        #expect(there.service.state.revision == 0)
        #expect(try there.call("GET", "/config").body == "[]")
        try there.service.refresh()
        #expect(there.service.state.revision == 2)
        #expect(try there.call("GET", "/config").entries == "a=1")
        #expect(there.snapshot.differences(from: here.snapshot) == [])
    }

    @Test func `a worker whose connection was cut off catches up when it has a new one`() throws {
        let here = try ConfigInstance()
        let there = try ConfigInstance(on: here.database)
        let subscription = try subscribe(there)
        defer { subscription.stop() }
        try here.put("a", "1")
        #expect(there.service.store.wait(for: 1, timeout: .seconds(20)))
        try there.asSuperuser(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and query ilike 'listen%'
            """)
        try here.put("a", "2")
        #expect(there.service.store.wait(for: 2, timeout: .seconds(20)))
        #expect(eventually(within: .seconds(20)) { !there.service.state.isStale })
    }

    @Test func `a snapshot stays readable, and says that it is stale, while the database refuses`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        instance.pool.close()
        #expect(throws: PostgresFailure.self) { try instance.service.refresh() }
        let answer = try instance.call("GET", "/config")
        #expect(try answer.entries == "a=1")
        #expect(answer["Almanac-Stale"] == "true")
        #expect(instance.service.state.isStale)
    }
}
