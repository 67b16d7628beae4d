import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests that greedy callers leave a fair share of a worker to others.
    @Suite(.serialized) struct FairSharesTests {
        private let alice: NotesUser
        private let worker: SecondWorker

        init() throws {
            alice = try NotesUser()
            worker = try SecondWorker(beside: alice.instance)
        }

        /// Runs `body` while a superuser's transaction holds the locks of a statement.
        private func holding<Result>(_ statement: String, _ body: () throws -> Result) throws -> Result {
            let settings = ConnectionSettings(conninfo: "\(try TestCluster.conninfo) dbname=almanac_development")
            let connection = try Connection(settings)
            return try connection.transaction { connection in
                try connection.execute(script: statement)
                return try body()
            }
        }

        private func accountIsLocked(_ body: () throws -> Void) throws {
            try holding("select from accounts where subject = '\(alice.subject)' for update", body)
        }

        private func waiting() throws -> Int {
            Int(try MetricsPage(worker.client())["almanac_http_requests_waiting"] ?? -1)
        }

        /// Returns the number of the environment's sessions that wait for a lock.
        private func lockWaits() throws -> Int64 {
            let waits = Statement(
                """
                -- name: test_lock_waits
                select count(*) as waits from pg_stat_activity
                where datname = 'almanac_development' and wait_event_type = 'Lock'
                """)
            return try Connection(TestCluster.settings).run(waits).single("pg_stat_activity").bigint("waits")
        }

        /// Sends requests from separate threads.
        private func send(
            _ count: Int, _ request: @escaping @Sendable (SecondWorker, Int) throws -> HTTPResponse
        ) -> Monitor<[Int: HTTPResponse]> {
            let responses = Monitor<[Int: HTTPResponse]>([:])
            let worker = worker
            for number in 0..<count {
                _ = AlmanacPOSIX.Thread(name: "greedy") {
                    guard let response = try? request(worker, number) else { return }
                    responses.update { $0[number] = response }
                }
            }
            return responses
        }

        @Test
        func `one account's requests wait without a thread or a connection, and end in the order of their arrival`()
            throws
        {
            let (alice, bob) = (alice, try NotesUser("bob"))
            try alice.client().create(("n1", ""))
            try bob.client().create(("n1", "milk"))
            var answers: [Monitor<[Int: HTTPResponse]>] = []
            try accountIsLocked { () throws in
                for number in 0..<20 {
                    answers.append(
                        send(1) { worker, _ in
                            let action: JSONValue = [
                                "updateNote",
                                [
                                    "action_id": .string("a\(number)"), "id": "n1", "base": 1,
                                    "body": [[1, .string("\(number) ")]],
                                ],
                            ]
                            return try worker.client(alice).send("POST", "notes", "[\(action)]")
                        })
                    // The first request waits for the lock, and the others wait in the queue.
                    #expect(try eventually(within: .seconds(20)) { try lockWaits() == 1 && waiting() == number })
                }
                // More requests wait than the worker has connections, but other callers get responses.
                for _ in 0..<20 {
                    #expect(try worker.client().send("GET", "/development/config").status == 200)
                    #expect(try worker.client(bob).send("GET", "notes/n1").status == 200)
                }
                #expect(try worker.client(bob).send("PUT", "notes/n2", #"{"body": "bread"}"#).status == 201)
            }
            // On a slow machine the first request may time out at the lock, and the next request then continues.
            let revisions = try answers.compactMap { answer in
                let response = try #require(answer.wait(upTo: .seconds(30)) { $0[0] })
                #expect([200, 503].contains(response.status), "\(response.text)")
                return response["results"]?.arrayValue?.first?.objectValue?.number("revision")
            }
            #expect(revisions.count > 1 && revisions == revisions.sorted())
            #expect(try eventually { try waiting() == 0 })
        }

        @Test func `past a number of one account's requests the next are refused, with when to come back`() throws {
            let alice = alice
            try alice.client().create(("n1", ""))
            try accountIsLocked { () throws in
                let answers = send(80) { worker, number in
                    try worker.client(alice).send("PUT", "notes/x\(number)", #"{"body": "x"}"#)
                }
                let refused = try #require(
                    answers.wait(upTo: .seconds(20)) { answers in
                        let refused = answers.values.filter { $0.status == 429 }
                        return refused.count == 15 ? refused : nil
                    })
                #expect(Set(refused.map(\.problem)) == ["too-many-requests"])
                #expect(refused.allSatisfy { $0.header("Retry-After") == "1" })
            }
        }

        @Test func `a statement that runs too long is stopped, and the answer says so`() throws {
            try alice.client().create(("n1", ""))
            try accountIsLocked { () throws in
                let answer = try worker.client(alice).send("PUT", "notes/n2", #"{"body": "x"}"#)
                #expect(answer.status == 503 && answer.problem == "took-too-long", "\(answer.text)")
                #expect(answer.header("Retry-After") == "1")
            }
            #expect(try worker.client(alice).send("PUT", "notes/n2", #"{"body": "x"}"#).status == 201)
            #expect(worker.log.contains("took-too-long"))
        }

        @Test func `waiting for a revision keeps nobody from the config, even where the database does not answer`()
            throws
        {
            let answers = try holding("lock table config_head in access exclusive mode") { () throws in
                let answers = send(40) { worker, _ in
                    try worker.client().send(
                        "GET", "/development/config", headers: [("Almanac-Min-Revision", "999999999999")])
                }
                #expect(try eventually(within: .seconds(20)) { try waiting() > 0 })
                for _ in 0..<20 { #expect(try worker.client().send("GET", "/development/config").status == 200) }
                return answers
            }
            let all = try #require(answers.wait(upTo: .seconds(30)) { $0.count == 40 ? $0 : nil })
            #expect(Set(all.values.map(\.status)) == [503])
            // The requests have their own counter, and only a few log lines.
            let page = try MetricsPage(worker.client())
            let series = #"almanac_http_requests_unmet_total{environment="development",route="/{environment}/config"}"#
            let unmet = page.numbers.filter { $0.key == series }.values.reduce(0, +)
            #expect(unmet > 0)
            let lines = worker.log.split(separator: "\n").count { $0.contains("revision-not-reached") }
            #expect((1...10).contains(lines))
        }

        @Test func `words of a search are in no log`() throws {
            let instance = alice.instance
            let word = "secretword\(UInt64.random(in: .min ... .max))"
            try alice.client().create(("n1", word))
            #expect(try alice.client().send("GET", "notes?q=\(word)").status == 200)
            // This request makes nginx write to its error log.
            let large = String(repeating: "x", count: 5 << 20)
            #expect(try alice.client().send("POST", "notes?q=\(word)", large).status == 413)
            #expect(try eventually { try found("/development/notes", instance).contains("nginx-access.log") })
            #expect(try found(word, instance) == "")
        }

        @Test func `the ticket of a stream is in no log`() throws {
            let instance = alice.instance
            let ticket = "4000000000.0.abcd1234.secretticket\(UInt64.random(in: .min ... .max))"
            #expect(try alice.client().send("GET", "events?ticket=\(ticket)").status == 401)
            // This request makes nginx write to its error log.
            let large = String(repeating: "x", count: 5 << 20)
            #expect(try alice.client().send("POST", "events?ticket=\(ticket)", large).status == 413)
            #expect(try eventually { try found("/development/events", instance).contains("nginx-access.log") })
            #expect(try found(ticket, instance) == "")
        }

        /// Returns the instance's log files that contain a text.
        private func found(_ text: String, _ instance: Instance) throws -> String {
            try Command.run("grep", ["-rlF", "--", text, instance.path("log")]).output
        }
    }
}
