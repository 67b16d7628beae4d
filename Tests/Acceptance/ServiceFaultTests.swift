import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Glibc
import Testing

extension Live {
    /// Tests that stop or kill services while the instance is in use.
    @Suite struct ServiceFaultTests {
        @Test func `config stays readable while the database is away, and all recovers by itself`() throws {
            let development = try LiveEnvironment("development")
            try development.reset(to: ["a": 1])
            let client = development.client()
            try Instance.current().run("--stop-service", "postgres")
            #expect(
                eventually {
                    (try? client.send("GET", development.path("config")))?.header("Almanac-Stale") == "true"
                })
            let read = try client.send("GET", development.path("config.json"))
            #expect(read.status == 200)
            #expect(read.text == #"{"a":1}"#)
            let write = try client.put(development.path("config/a"), 2)
            #expect(write.status == 503)
            #expect(write.problem == "database-away")
            #expect(write.header("Retry-After").flatMap { Int($0) } != nil)

            try Instance.current().run("--start-service", "postgres")
            // Reads and writes must recover within five seconds after the database.
            #expect(
                eventually(within: .seconds(5)) { (try? client.put(development.path("config/a"), 3))?.status == 200 })
            #expect(
                eventually(within: .seconds(5)) {
                    let answer = try? client.send("GET", development.path("config.json"))
                    return answer?.header("Almanac-Stale") == nil && answer?.text == #"{"a":3}"#
                })
            // The environments that received no request recover, too.
            #expect(eventually(within: .seconds(5)) { (try? client.send("GET", "/-/ready"))?.status == 200 })
        }

        @Test func `every write that was answered survives the killing of the worker`() throws {
            try killUnderLoad { instance in
                let pid = try #require(try pids(of: "worker").first)
                #expect(kill(pid, SIGKILL) == 0)
                #expect(
                    try eventually(within: .seconds(10)) { try pids(of: "worker").first.map { $0 != pid } ?? false })
            }
        }

        @Test func `every write that was answered survives the killing of PostgreSQL`() throws {
            try killUnderLoad { instance in
                let pid = try #require(try pids(of: "postgres").first)
                #expect(kill(pid, SIGKILL) == 0)
                // The supervisor restarts PostgreSQL anyway. This command waits until the cluster answers.
                #expect(
                    eventually(within: .seconds(20)) {
                        (try? Instance.current().run("--start-service", "postgres")) != nil
                            && (try? pids(of: "postgres").first) != pid
                    })
            }
        }

        @Test func `SIGTERM lets requests in flight finish`() throws {
            let development = try LiveEnvironment("development")
            try development.reset(to: ["a": 1])
            let supervisor = try #require(try pids(of: "worker").first)
            let isOver = try Event()
            let failures = Monitor<[String]>([])
            let readers = (0..<8).map { number in
                Thread(name: "reader \(number)") {
                    let client = development.client()
                    while !isOver.isSet {
                        do {
                            let answer = try client.send("GET", development.path("config.json"))
                            if answer.status != 200 { failures.update { $0.append("\(answer.status) \(answer.text)") } }
                        } catch {
                            failures.update { $0.append("\(error)") }
                        }
                    }
                }
            }
            #expect(kill(supervisor, SIGTERM) == 0)
            #expect(
                try eventually(within: .seconds(10)) { try pids(of: "worker").first.map { $0 != supervisor } ?? false })
            isOver.set()
            for reader in readers { #expect(reader.wait(upTo: .seconds(30))) }
            #expect(failures.read { $0 } == [])
        }

        /// Writes from several threads, runs `injectFault` in between, and looks for every acknowledged write.
        private func killUnderLoad(_ injectFault: (Instance) throws -> Void) throws {
            let development = try LiveEnvironment("development")
            try development.reset()
            let isOver = try Event()
            let acknowledged = Monitor<[String: Int64]>([:])
            let writers = (0..<16).map { writer in
                Thread(name: "writer \(writer)") {
                    let client = development.client()
                    var count: Int64 = 0
                    while !isOver.isSet {
                        count += 1
                        let path = development.path("config/writer.\(writer)")
                        let answer = try? client.put(path, .number(JSONNumber(count)))
                        if let status = answer?.status, (200...201).contains(status) {
                            acknowledged.update { [count] in $0["writer.\(writer)"] = count }
                        }
                    }
                }
            }
            let isBusy = acknowledged.wait(upTo: .seconds(20)) { $0.count == 16 ? true : nil }
            #expect(isBusy == true)
            try injectFault(development.instance)
            // Every writer must get another response after the fault.
            let before = acknowledged.read { $0 }
            let isBack = acknowledged.wait(upTo: .seconds(20)) { now in
                now.allSatisfy { $0.value > before[$0.key] ?? 0 } ? true : nil
            }
            #expect(isBack == true)
            isOver.set()
            for writer in writers { #expect(writer.wait(upTo: .seconds(40))) }

            let state = try #require(
                try development.client().send("GET", development.path("config.json")).json().objectValue)
            for (key, count) in acknowledged.read({ $0 }) {
                // The server may have made a write that it did not answer, so the state may be ahead.
                #expect(state[key]?.numberValue?.int64 ?? 0 >= count, "\(key)")
            }
        }

        private func pids(of service: String) throws -> [Int32] { try Instance.current().pids(of: service) }
    }
}
