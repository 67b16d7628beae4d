import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite(.database) struct NotifierTests {
    @Test func `an announcement reaches the listeners`() throws {
        let listener = try listener()
        let notifier = Notifier(try TestDatabase.current.settings, threadName: "notifier")
        defer { notifier.stop() }
        notifier.announce(channel: "config", revision: 43)
        #expect(try receive(from: listener, until: ["43"]) == ["43"])
        notifier.announce(channel: "config", scope: "alice", revision: 44)
        #expect(try receive(from: listener, until: ["alice 44"]) == ["alice 44"])
        notifier.stop()
        #expect(notifier.counts == (sent: 2, failures: 0))
    }

    @Test func `of many revisions of one scope the last is heard, and no older one after it`() throws {
        let listener = try listener()
        let notifier = Notifier(try TestDatabase.current.settings, threadName: "notifier")
        for revision in 1...2000 as ClosedRange<Int64> {
            notifier.announce(channel: "config", scope: "alice", revision: revision)
            notifier.announce(channel: "config", scope: "bob", revision: revision)
        }
        notifier.stop()
        let payloads = try receive(from: listener, until: ["alice 2000", "bob 2000"])
        #expect(payloads.count < 4000)
        for scope in ["alice ", "bob "] {
            let revisions = payloads.filter { $0.hasPrefix(scope) }.compactMap { Int($0.dropFirst(scope.count)) }
            #expect(revisions == revisions.sorted())
        }
    }

    @Test func `a steady flow goes out in batches at least 5 ms apart`() throws {
        let listener = try listener()
        let notifier = Notifier(try TestDatabase.current.settings, threadName: "notifier")
        notifier.announce(channel: "config", scope: "alice", revision: 1)
        // The announcement is delivered although no other follows it.
        var payloads = try receive(from: listener, until: ["alice 1"])
        let start = ContinuousClock.now
        var revision: Int64 = 1
        while ContinuousClock.now - start < .milliseconds(300) {
            revision += 1
            notifier.announce(channel: "config", scope: "alice", revision: revision)
        }
        let mostBatches = Int((ContinuousClock.now - start) / .milliseconds(5)) + 2
        notifier.stop()
        payloads = try receive(from: listener, until: ["alice \(revision)"])
        #expect(payloads.count > 1 && payloads.count <= mostBatches)
    }

    @Test func `announcements wait while the database is away, coalesced`() throws {
        let listener = try listener()
        let name = try TestDatabase.current.name
        let admin = try Connection(TestCluster.settings)
        try admin.execute(script: "alter database \(name) allow_connections false")
        let failures = Monitor(0)
        let notifier = Notifier(try TestDatabase.current.settings, threadName: "notifier") { failure in
            failures.update { $0 += failure.isUnavailable ? 1 : 0 }
        }
        defer { notifier.stop() }
        notifier.announce(channel: "config", scope: "early", revision: 9)
        for revision in 1...100 as ClosedRange<Int64> { notifier.announce(channel: "config", revision: revision) }
        try #require(failures.wait(upTo: .seconds(20)) { $0 > 0 ? true : nil } == true)
        for revision in 101...200 as ClosedRange<Int64> { notifier.announce(channel: "config", revision: revision) }
        notifier.announce(channel: "config", scope: "alice", revision: 1)
        notifier.announce(channel: "config", revision: 150)
        try admin.execute(script: "alter database \(name) allow_connections true")
        #expect(try receive(from: listener, until: ["200"]) == ["early 9", "alice 1", "200"])
        notifier.stop()
        #expect(notifier.counts.sent == 3)
        #expect(notifier.counts.failures >= 1)
    }

    @Test func `a connection that ended in between is replaced`() throws {
        let listener = try listener()
        let notifier = Notifier(
            ConnectionSettings(conninfo: try TestDatabase.current.conninfo(), applicationName: "the notifier"),
            threadName: "notifier")
        defer { notifier.stop() }
        notifier.announce(channel: "config", revision: 1)
        #expect(try receive(from: listener, until: ["1"]) == ["1"])
        let session = try Connection(TestDatabase.current.settings).run(
            Statement(
                """
                -- name: notifier_session
                select pid from pg_stat_activity
                where application_name = 'the notifier' and datname = current_database()
                """))[0].integer("pid")
        try terminate(Int32(session))
        notifier.announce(channel: "config", revision: 2)
        #expect(try receive(from: listener, until: ["2"]) == ["2"])
    }

    @Test func `an announcement that the server never takes doesn't stop the rest`() throws {
        let listener = try listener()
        let refusals = Monitor<[SQLState?]>([])
        let notifier = Notifier(try TestDatabase.current.settings, threadName: "notifier") { failure in
            refusals.update { $0.append(failure.state) }
        }
        defer { notifier.stop() }
        notifier.announce(channel: "config", scope: String(repeating: "x", count: 9000), revision: 1)
        _ = refusals.wait(upTo: .seconds(20)) { $0.isEmpty ? nil : true }
        notifier.announce(channel: "config", revision: 2)
        #expect(try receive(from: listener, until: ["2"]) == ["2"])
        #expect(refusals.read(\.self) == [.invalidParameterValue])
    }

    @Test func `stopping doesn't wait for a database that is away`() throws {
        let notifier = Notifier(ConnectionSettings(conninfo: "host=/nowhere"), threadName: "notifier")
        notifier.announce(channel: "config", revision: 1)
        let start = ContinuousClock.now
        notifier.stop()
        #expect(ContinuousClock.now - start < .seconds(4))
    }

    private func listener() throws -> Connection {
        let listener = try Connection(TestDatabase.current.settings)
        try listener.listen("config")
        return listener
    }

    /// Collects payloads until all expected ones have arrived.
    private func receive(from listener: Connection, until expected: Set<String>) throws -> [String] {
        var payloads: [String] = []
        while !expected.isSubset(of: payloads) {
            let next = try listener.notifications(upTo: .seconds(20))
            try #require(!next.isEmpty, "heard only \(payloads)")
            payloads += next.map(\.payload)
        }
        return payloads
    }
}
