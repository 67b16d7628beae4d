import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of more slow callers than the worker has threads. Other callers must still get responses.
    @Suite struct SlowCallersTests {
        /// The number of slow callers. Half of them reach the worker, which has 32 threads.
        private static let callers = 80

        private let folder: TemporaryFolder
        private let instance: Instance
        private let slow: NotesUser

        init() throws {
            (folder, instance, slow) = try (TemporaryFolder(), Instance.current(), NotesUser("slow"))
        }

        @Test func `bodies that come slowly hold nobody up`() throws {
            let body = try folder.write(
                "body", Array(#"[["createNote",{"id":"n","body":"\#(String(repeating: "b", count: 1 << 20))"}]]"#.utf8))
            let callers = try start { caller in
                // Every second request has no Content-Length.
                let coding = caller.isMultiple(of: 2) ? [] : ["-H", "Transfer-Encoding: chunked"]
                return coding
                    + [
                        "-H", "Authorization: Bearer \(slow.token)", "-H", "Expect:", "-H",
                        "Content-Type: application/json", "--limit-rate", "4k", "--data-binary",
                        "@\(body)", "\(instance.url)/development/notes",
                    ]
            }
            try #require(haveLogged(callers, line: "> POST /development/notes"))
            try expectOthersAnswered()
            #expect(callers.allSatisfy { $0.isRunning })
        }

        @Test func `answers that are read slowly hold nobody up`() throws {
            // Each response has eight megabytes, more than the kernel's buffers take from nginx.
            let text = String(repeating: "b", count: 1_000_000)
            let users = try (0..<8).map { _ in try NotesUser("slow") }
            for user in users { for note in 0..<4 { try user.client().create(("n\(note)", text)) } }
            let callers = try start { caller in
                let authorization = "Authorization: Bearer \(users[caller % users.count].token)"
                return ["--limit-rate", "4k", "-H", authorization, "\(instance.url)/development/account"]
            }
            try #require(haveLogged(callers, line: "< HTTP/1.1 200"))
            try expectOthersAnswered()
            #expect(callers.allSatisfy { $0.isRunning })
        }

        @Test func `requests that stop half way, and connections that say nothing, hold nobody up`() throws {
            let port = try #require(instance.url.split(separator: ":").last.flatMap { UInt16($0) })
            let silent = (0..<400).map { _ in LoopbackConnection.open(port: port) }
            defer { for connection in silent { connection?.close() } }
            try #require(silent.allSatisfy { $0 != nil })
            let token = slow.token
            let halves = [
                "GET /development/co", "GET /development/config HTTP/1.1\r\nHost: localh",
                "POST /development/notes HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n[[",
                "POST /development/notes HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
                    + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[[",
            ]
            // openssl keeps the connection open at the end of standard input.
            let callers = try (0..<Self.callers).map { caller in
                try BackgroundCommand(
                    "openssl",
                    ["s_client", "-quiet", "-CAfile", instance.caFile, "-connect", "localhost:\(port)"],
                    input: Array(halves[caller % halves.count].utf8))
            }
            try #require(haveLogged(callers, line: "verify return:1"))
            try expectOthersAnswered()
        }

        /// Starts one curl per caller, over HTTP/1.1, with a trace on standard error.
        private func start(_ options: (Int) -> [String]) throws -> [BackgroundCommand] {
            try (0..<Self.callers).map { caller in
                try BackgroundCommand(
                    "curl",
                    [
                        "-sv", "--http1.1", "--max-time", "600", "--cacert", instance.caFile, "-o", "/dev/null",
                    ] + options(caller))
            }
        }

        private func haveLogged(_ callers: [BackgroundCommand], line: String) -> Bool {
            // The responses total 640 megabytes, and the machine may have other work.
            eventually(within: .seconds(240)) {
                callers.allSatisfy { String(decoding: $0.errorBytes, as: UTF8.self).contains(line) }
            }
        }

        /// Expects responses to other callers' reads and writes.
        private func expectOthersAnswered() throws {
            let (development, user) = (try LiveEnvironment("development"), try NotesUser())
            // A timeout shorter than nginx's and the worker's timeouts for slow callers.
            func client(_ token: String?) -> HTTPClient {
                HTTPClient(base: instance.url, caFile: instance.caFile, token: token, timeout: .seconds(20))
            }
            let (anyone, writer) = (client(nil), client(development.token))
            let other = NotesClient(http: client(user.token), environment: "development")
            for round in 0..<20 {
                for environment in ["development", "staging"] {
                    #expect(try anyone.send("GET", "/\(environment)/config").status == 200)
                }
                let number = JSONValue.number(JSONNumber(round))
                #expect(try writer.put(development.path("config/slow"), number).status < 300)
                try other.create(("n\(round)", "text"))
            }
        }
    }
}
