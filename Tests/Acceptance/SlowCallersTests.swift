import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    /// More callers than the worker has threads, who take their time: everybody else is answered meanwhile.
    @Suite struct SlowCallersTests {
        /// The worker has 32 threads.
        private static let callers = 48

        private let folder: TemporaryFolder
        private let instance: Instance
        private let slow: NotesUser

        init() throws {
            folder = try TemporaryFolder()
            instance = try Instance.current()
            slow = try NotesUser("slow")
        }

        @Test func `bodies that come slowly hold nobody up`() throws {
            let body = try folder.write(
                "body", Array(#"[["createNote",{"id":"n","body":"\#(String(repeating: "b", count: 1 << 20))"}]]"#.utf8))
            let callers = try start { caller in
                // Every other one says nothing of the length.
                let coding = caller.isMultiple(of: 2) ? [] : ["-H", "Transfer-Encoding: chunked"]
                return coding
                    + [
                        "-H", "Expect:", "-H", "Content-Type: application/json", "--limit-rate", "4k", "--data-binary",
                        "@\(body)", "\(instance.url)/development/notes",
                    ]
            }
            try #require(haveCome(callers, to: "> POST /development/notes"))
            try expectOthersAnswered()
            #expect(callers.allSatisfy { $0.isRunning })
        }

        @Test func `answers that are read slowly hold nobody up`() throws {
            let text = String(repeating: "b", count: 1_000_000)
            for note in 0..<8 { try slow.client().create(("n\(note)", text)) }
            let callers = try start { _ in ["--limit-rate", "4k", "\(instance.url)/development/notes"] }
            try #require(haveCome(callers, to: "< HTTP/1.1 200"))
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
            // Standard input at its end is no end of the connection.
            let callers = try (0..<Self.callers).map { caller in
                try BackgroundCommand(
                    "openssl",
                    ["s_client", "-quiet", "-CAfile", instance.caFile, "-connect", "localhost:\(port)"],
                    input: Array(halves[caller % halves.count].utf8))
            }
            try #require(haveCome(callers, to: "verify return:1"))
            try expectOthersAnswered()
        }

        /// Starts one curl for each caller, which speaks HTTP/1.1 and says what it does on standard error.
        private func start(_ options: (Int) -> [String]) throws -> [BackgroundCommand] {
            try (0..<Self.callers).map { caller in
                try BackgroundCommand(
                    "curl",
                    [
                        "-sv", "--http1.1", "--max-time", "120", "--cacert", instance.caFile, "-o", "/dev/null", "-H",
                        "Authorization: Bearer \(slow.token)",
                    ] + options(caller))
            }
        }

        private func haveCome(_ callers: [BackgroundCommand], to line: String) -> Bool {
            eventually(within: .seconds(60)) {
                callers.allSatisfy { String(decoding: $0.errorBytes, as: UTF8.self).contains(line) }
            }
        }

        /// Reads and writes of everybody else.
        private func expectOthersAnswered() throws {
            let (development, other) = (try LiveEnvironment("development"), try NotesUser().client())
            for round in 0..<20 {
                for environment in ["development", "staging"] {
                    #expect(try instance.client().send("GET", "/\(environment)/config").status == 200)
                }
                #expect(
                    try development.client().put(development.path("config/slow"), .number(JSONNumber(round))).status
                        < 300)
                try other.create(("n\(round)", "text"))
            }
        }
    }
}
