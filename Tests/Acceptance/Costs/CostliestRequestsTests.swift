import AlmanacCryptography
import AlmanacJSON
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of the costliest known request of each route. Requests found to be costlier belong in the table.
    ///
    /// The test prints the cost of each request. Run `deploy/test --filter CostliestRequests` to measure without
    /// other load. Times are not asserted, because a busy machine would exceed them.
    @Suite struct CostliestRequestsTests {
        private let environment: FlagsEnvironment
        private let user: NotesUser

        init() throws {
            environment = try FlagsEnvironment()
            user = try NotesUser(in: environment.live.name)
        }

        /// Stores entries, the longest value, and flags. Returns the revision of the entries.
        private func fillConfig() throws -> String {
            let text = String(repeating: "So much is said of an entry. ", count: 100)
            let entries = CostlyBodies.numbered(1000) { "\"costly-\($0)\":{\"value\":\"\(text)\"}" }
            let largeEntry = #""costly":{"value":[\#(CostlyBodies.repeated("{}", 80_000))]}"#
            let answer = try environment.live.client().send(
                "PATCH", environment.live.path("config"), headers: [("Content-Type", "application/merge-patch+json")],
                body: Array("{\(entries),\(largeEntry)}".utf8))
            try #require(answer.status == 200, "\(answer.text.prefix(1000))")
            let flags = try environment.send("PUT", "flags.json?fractional=3", CostlyBodies.flags())
            try #require(flags.status == 200, "\(flags.text.prefix(1000))")
            return "\(try #require(answer.revision))"
        }

        /// Stores a rewritten note of 900 KB, and a thousand notes of many words.
        private func fillNotes() throws {
            let client = user.client()
            let text = CostlyBodies.lines.joined().replacing("\n", with: "\\n")
            let rewriting = #"["updateNote",{"id":"long","base":1,"body":\#(CostlyBodies.rewriting())}]"#
            let words = (0..<400).map { "\(Array("abcdefgh")[$0 % 8])\($0)" }.joined(separator: " ")
            // A batch ends after five seconds, so no batch is long.
            let batches = (0..<20).map { batch in
                "[\(CostlyBodies.numbered(50) { #"["createNote",{"id":"n\#(batch)-\#($0)","body":"\#(words)"}]"# })]"
            }
            for batch in [#"[["createNote",{"id":"long","body":"\#(text)"}],\#(rewriting)]"#] + batches {
                let outcomes = Set(try client.outcomes(batch))
                try #require(outcomes == ["applied"], "\(outcomes)")
            }
        }

        /// Sends 24 of 25 pieces of an attachment.
        private func fillAttachments() throws {
            let client = user.client().http
            let path = environment.live.path("attachments/\(CostliestRequest.attachment)")
            let piece = Array(CostlyBodies.piece().utf8)
            let all = Array(repeatElement(piece, count: 25).joined())
            let declaration: JSONValue = [
                "bytes": .number(JSONNumber(all.count)), "sha256": .string(Hex.encode(SHA256.digest(all))),
                "type": "text/plain", "name": "words.txt",
            ]
            let declared = try client.send("PUT", path, body: declaration.serialized())
            try #require(declared.status == 201, "\(declared.text)")
            for number in 0..<24 {
                let headers = [
                    ("Content-Type", "application/octet-stream"), ("Upload-Offset", "\(number * piece.count)"),
                ]
                let answer = try client.send("PATCH", path, headers: headers, body: piece)
                try #require(answer.status == 204, "\(answer.text)")
            }
        }

        @Test func `the costliest requests are answered, and each route has one`() throws {
            let operations = try OpenAPIDocument(OpenAPIDocument.text()).operations.map { "\($0.method) \($0.path)" }
            #expect(Set(operations) == Set(CostliestRequest.all.map(\.operation)))
            defer { _ = try? environment.live.reset() }
            let names = [
                "environment": environment.live.name, "other": "development", "key": "costly", "major": "99",
                "id": "long", "number": "99", "revision": try fillConfig(),
            ]
            try fillNotes()
            try fillAttachments()
            var lines: [(milliseconds: Int64, line: String)] = []
            for request in CostliestRequest.all {
                let client = client(of: request.caller)
                let body = request.body.map { Array($0().utf8) }
                let (answer, cost) = try ServerCost.measured(on: user.instance) {
                    try client.send(request.method, request.path(names), headers: request.headers, body: body)
                }
                #expect(
                    answer.status == request.status,
                    "\(request.operation), \(request.about): \(answer.status) \(answer.text.prefix(300))")
                // The memory limit is part of the contract. Processor time is only printed.
                #expect(cost.memory <= 64 << 20, "\(request.operation), \(request.about): \(cost.memory) bytes")
                let milliseconds = Int64(cost.processor / .milliseconds(1))
                let name = "\(answer.status): \(request.operation): \(request.about)"
                lines.append((milliseconds, "\(milliseconds) ms, \(cost.memory >> 10) KiB, \(name)"))
            }
            print("The costliest requests: processor time and memory of the server programs")
            for line in lines.sorted(by: { $0.milliseconds > $1.milliseconds }) { print("  " + line.line) }
        }

        private func client(of caller: CostliestRequest.Caller) -> HTTPClient {
            switch caller {
            case .operator: environment.live.client()
            case .user: user.client().http
            case .nobody: user.instance.client()
            }
        }
    }
}
