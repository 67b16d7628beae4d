import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite(.database) struct PoolTests {
    @Test func `fifty threads share four connections`() throws {
        let pool = Pool(try TestDatabase.current.settings, size: 4, waitLimit: .seconds(60))
        let maxSessions = Monitor(0)
        let done = Monitor(0)
        onThreads(50) {
            for _ in 0..<10 {
                let sessions = try pool.withConnection { connection in
                    try connection.run(
                        Statement(
                            """
                            -- name: sessions
                            select count(*) as count, pg_sleep(0.001)::text as slept from pg_stat_activity
                            where datname = current_database() and backend_type = 'client backend'
                            """))[0].integer("count")
                }
                maxSessions.update { $0 = max($0, sessions) }
                done.update { $0 += 1 }
            }
        }
        #expect(done.read(\.self) == 500)
        #expect(maxSessions.read(\.self) == 4)
        #expect(pool.usage == (open: 4, idle: 4, size: 4))
    }

    @Test func `an exhausted pool is busy until a connection comes back`() throws {
        let pool = Pool(try TestDatabase.current.settings, size: 1, waitLimit: .milliseconds(20))
        try pool.withConnection { _ in
            #expect(pool.usage == (open: 1, idle: 0, size: 1))
            guard case .busy? = failure({ try pool.withConnection { _ in } }) else {
                Issue.record("the second got a connection")
                return
            }
            #expect(pool.timeouts == 1)
        }
        try pool.withConnection { _ in }
        #expect(pool.timeouts == 1)
    }

    @Test func `a waiting thread gets the connection that comes back`() throws {
        let pool = Pool(try TestDatabase.current.settings, size: 1, waitLimit: .seconds(30))
        let order = Monitor<[String]>([])
        let thread = try pool.withConnection { _ in
            let started = Monitor(false)
            let thread = AlmanacPOSIX.Thread(name: "waiting") {
                started.update { $0 = true }
                _ = try? pool.withConnection { _ in order.update { $0.append("second") } }
            }
            _ = started.wait { $0 ? true : nil }
            order.update { $0.append("first") }
            return thread
        }
        #expect(thread.wait(upTo: .seconds(30)))
        #expect(order.read(\.self) == ["first", "second"])
    }

    @Test func `connections that the server ended while idle are replaced unnoticed`() throws {
        let pool = Pool(try TestDatabase.current.settings, size: 3)
        let sessions = try pool.withConnection { first in
            try pool.withConnection { second in [first.processID, second.processID] }
        }
        #expect(pool.usage.idle == 2)
        for session in sessions { try terminate(session) }
        for _ in 0..<5 {
            let session = try pool.withConnection { try $0.run(pid)[0].integer("pid") }
            #expect(!sessions.contains(Int32(session)))
        }
        #expect(pool.usage == (open: 1, idle: 1, size: 3))
    }

    @Test func `a connection that was lost in use is not lent again`() throws {
        let pool = Pool(try TestDatabase.current.settings, size: 1)
        let outcome = failure {
            try pool.withConnection { connection in
                try terminate(connection.processID)
                try connection.run(pid)
            }
        }
        #expect(outcome?.isUnavailable == true)
        #expect(pool.usage == (open: 0, idle: 0, size: 1))
        try pool.withConnection { _ = try $0.run(pid) }
    }

    @Test(arguments: ["begin", "listen x"])
    func `a connection that comes back in another state is closed`(script: String) throws {
        let pool = Pool(try TestDatabase.current.settings, size: 1)
        try pool.withConnection { connection in
            if script == "begin" { try connection.execute(script: script) } else { try connection.listen("x") }
        }
        #expect(pool.usage.open == 0)
    }

    @Test func `an error in the work gives the connection back`() throws {
        struct Refusal: Error {}
        let pool = Pool(try TestDatabase.current.settings, size: 1)
        let first = try pool.withConnection(\.processID)
        #expect(throws: Refusal.self) { try pool.withConnection { _ in throw Refusal() } }
        #expect(
            state { try pool.withConnection { try $0.execute(script: "select 1/0") } } == SQLState(rawValue: "22012"))
        #expect(try pool.withConnection(\.processID) == first)
    }

    @Test func `an unreachable database is tried again by each caller, and takes no room`() throws {
        let name = try TestDatabase.current.name
        let admin = try Connection(TestCluster.settings)
        let pool = Pool(try TestDatabase.current.settings, size: 2, waitLimit: .seconds(30))
        try admin.execute(script: "alter database \(name) allow_connections false")
        let refusals = Monitor(0)
        onThreads(10) {
            guard case .unreachable? = failure({ try pool.withConnection { _ in } }) else { return }
            refusals.update { $0 += 1 }
        }
        #expect(refusals.read(\.self) == 10)
        #expect(pool.usage.open == 0)
        try admin.execute(script: "alter database \(name) allow_connections true")
        try pool.withConnection { _ = try $0.run(pid) }
        #expect(pool.usage.open == 1)
    }

    @Test func `a closed pool lends nothing and keeps nothing`() throws {
        let pool = Pool(try TestDatabase.current.settings, size: 2)
        try pool.withConnection { inUse in
            try pool.withConnection { _ in }
            pool.close()
            #expect(pool.usage.idle == 0)
            _ = try inUse.run(pid)
        }
        #expect(pool.usage.open == 0)
        #expect(failure { try pool.withConnection { _ in } }?.isUnavailable == true)
    }
}

/// Runs a closure on a number of threads at once and waits for all of them.
private func onThreads(_ count: Int, _ work: @escaping @Sendable () throws -> Void) {
    let threads = (0..<count).map { number in
        AlmanacPOSIX.Thread(name: "test \(number)") {
            do { try work() } catch { Issue.record(error) }
        }
    }
    for thread in threads { #expect(thread.wait(upTo: .seconds(60))) }
}

private let pid = Statement("-- name: pid\nselect pg_backend_pid() as pid")
