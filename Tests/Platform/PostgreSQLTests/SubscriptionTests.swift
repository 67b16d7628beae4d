import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite struct SubscriptionTests {
    /// A log of a subscription's updates.
    private final class UpdateLog: Sendable {
        private let entries = Monitor<[String]>([])

        func write(_ update: Subscription.Update) {
            entries.update { entries in
                switch update {
                case .connected: entries.append("connected")
                case .notified(let notifications):
                    entries += notifications.map { "\($0.channel) \($0.payload)" }
                case .quiet: if entries.last != "quiet" { entries.append("quiet") }
                // The number of connection attempts depends on timing, so repeated failures count as one.
                case .disconnected: if entries.last != "disconnected" { entries.append("disconnected") }
                }
            }
        }

        /// Waits until an entry has been logged a number of times.
        func has(_ entry: String, times count: Int = 1) -> Bool {
            entries.wait(upTo: .seconds(20)) { $0.count { $0 == entry } >= count ? true : nil } ?? false
        }

        var all: [String] { entries.read { $0 } }
    }

    private func subscription(
        _ database: TestDatabase, _ log: UpdateLog, channels: [String] = ["news"], interval: Duration = .seconds(60)
    ) throws -> Subscription {
        let settings = ConnectionSettings(conninfo: database.conninfo(), applicationName: "almanac-subscription")
        return try Subscription(settings, channels: channels, interval: interval, threadName: "subscription") {
            log.write($0)
        }
    }

    private func sessions(_ database: TestDatabase) throws -> [Int32] {
        let sessions = Statement(
            """
            -- name: subscription_sessions
            select pid from pg_stat_activity where datname = $1 and application_name = 'almanac-subscription'
            """)
        return try Connection(TestCluster.settings).run(sessions, .text(database.name)).map {
            Int32(try $0.integer("pid"))
        }
    }

    private func end(_ database: TestDatabase) throws {
        for session in try sessions(database) { try terminate(session) }
    }

    @Test func `a subscriber is told that listening has begun, and then what is said`() throws {
        try TestDatabase.with { database in
            let log = UpdateLog()
            let subscription = try subscription(database, log, channels: ["news", "Quoted \"Name\""])
            #expect(log.has("connected"))
            let speaker = try Connection(database.settings)
            try speaker.execute(
                script: "notify news, 'one'; notify other, 'not for us'; notify \"Quoted \"\"Name\"\"\", 'two'")
            #expect(log.has("Quoted \"Name\" two"))
            #expect(log.all == ["connected", "news one", "Quoted \"Name\" two"])
            #expect(subscription.counts == (received: 2, disconnections: 0))
            subscription.stop()
        }
    }

    @Test func `a lost connection is told and made again`() throws {
        try TestDatabase.with { database in
            let log = UpdateLog()
            let subscription = try subscription(database, log)
            #expect(log.has("connected"))
            let speaker = try Connection(database.settings)
            for round in 1...3 {
                try speaker.execute(script: "notify news, '\(round)'")
                #expect(log.has("news \(round)"))
                try end(database)
                #expect(log.has("connected", times: round + 1))
            }
            #expect(subscription.counts.received == 3)
            #expect(subscription.counts.disconnections >= 3)
            subscription.stop()
            #expect(
                log.all == [
                    "connected", "news 1", "disconnected", "connected", "news 2", "disconnected", "connected", "news 3",
                    "disconnected", "connected",
                ])
        }
    }

    @Test func `a database that is away is tried again until it is back`() throws {
        try TestDatabase.with { database in
            let administrator = try Connection(TestCluster.settings)
            try administrator.execute(script: "alter database \(database.name) with allow_connections false")
            let log = UpdateLog()
            let subscription = try subscription(database, log)
            #expect(log.has("disconnected"))
            #expect(log.all == ["disconnected"])
            try administrator.execute(script: "alter database \(database.name) with allow_connections true")
            #expect(log.has("connected"))
            subscription.stop()
            #expect(log.all == ["disconnected", "connected"])
        }
    }

    @Test func `an interval without a word is told`() throws {
        try TestDatabase.with { database in
            let log = UpdateLog()
            let subscription = try subscription(database, log, interval: .milliseconds(30))
            #expect(log.has("quiet"))
            try Connection(database.settings).execute(script: "notify news, 'after all'")
            #expect(log.has("news after all"))
            subscription.stop()
        }
    }

    @Test(arguments: [true, false])
    func `stopping ends a wait at once, and then nothing more is told`(isConnected: Bool) throws {
        try TestDatabase.with { database in
            if !isConnected {
                try Connection(TestCluster.settings).execute(
                    script: "alter database \(database.name) with allow_connections false")
            }
            let log = UpdateLog()
            let subscription = try subscription(database, log)
            #expect(log.has(isConnected ? "connected" : "disconnected"))
            let start = ContinuousClock.now
            subscription.stop()
            #expect(ContinuousClock.now - start < .seconds(20))
            let updatesBefore = log.all
            #expect(try eventually { try sessions(database).isEmpty })
            #expect(log.all == updatesBefore)
            subscription.stop()
        }
    }

    @Test func `a subscription that nobody holds any more ends`() throws {
        try TestDatabase.with { database in
            let log = UpdateLog()
            do {
                let subscription = try subscription(database, log)
                #expect(log.has("connected"))
                withExtendedLifetime(subscription) {}
            }
            #expect(try eventually { try sessions(database).isEmpty })
            #expect(log.all == ["connected"])
        }
    }
}
