import AlmanacJSON
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests that compare the worker's metrics with the sent requests.
    @Suite struct MetricsTests {
        private let development: LiveEnvironment
        private let client: HTTPClient

        init() throws {
            development = try LiveEnvironment("development")
            client = development.instance.client()
        }

        @Test func `the page is in Prometheus' format, and for GET and HEAD`() throws {
            let answer = try client.send("GET", "/-/metrics")
            #expect(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(try client.send("HEAD", "/-/metrics").status == 200)
            #expect(try client.send("POST", "/-/metrics", body: []).problem == "method-not-allowed")
        }

        @Test func `the page shows the process and every environment`() throws {
            try development.reset(to: ["a": 1])
            // A worker that has just started has not counted the attachments yet.
            for environment in ["development", "staging"] {
                let bytes = "almanac_attachment_bytes{environment=\"\(environment)\"}"
                #expect(try eventually { try MetricsPage(client)[bytes] != nil })
            }
            let page = try MetricsPage(client)
            let revision = try #require(try client.send("GET", development.path("config")).revision)
            #expect(page[#"almanac_config_revision{environment="development"}"#] == Double(revision))
            for environment in ["development", "staging"] {
                // The worker polls the database every two seconds.
                #expect(try #require(page["almanac_config_age_seconds{environment=\"\(environment)\"}"]) < 10)
                #expect(page["almanac_config_stale{environment=\"\(environment)\"}"] == 0)
                #expect(page["almanac_releases_unreviewed{environment=\"\(environment)\"}"] == 0)
                #expect(page["almanac_hooks_disabled{environment=\"\(environment)\"}"] == 0)
                let limit = try #require(page["almanac_database_connections_limit{environment=\"\(environment)\"}"])
                let open = ["used", "idle"].compactMap {
                    page["almanac_database_connections{environment=\"\(environment)\",state=\"\($0)\"}"]
                }
                #expect(open.count == 2 && open.reduce(0, +) <= limit)
                #expect(page["almanac_notes_actions_total{environment=\"\(environment)\",status=\"merged\"}"] != nil)
                #expect(page["almanac_attachment_bytes{environment=\"\(environment)\"}"] != nil)
                #expect(page["almanac_attachment_uploads_open{environment=\"\(environment)\"}"] != nil)
                #expect(page["almanac_attachment_orphans_total{environment=\"\(environment)\"}"] != nil)
                let refused = "almanac_attachments_refused_total{environment=\"\(environment)\",reason=\"store-full\"}"
                #expect(page[refused] != nil)
                #expect(page["almanac_listener_disconnects_total{environment=\"\(environment)\"}"] != nil)
            }
            #expect(page.numbers.keys.count { $0.hasPrefix("almanac_build_info{program=\"almanac-worker\",") } == 1)
            // At least this request is in progress.
            #expect(try #require(page["almanac_http_requests_in_progress"]) >= 1)
            #expect(try #require(page["process_resident_memory_bytes"]) > 1_048_576)
        }

        @Test func `counters agree with what a load run sent`() throws {
            try development.reset(to: ["a": 1, "b": "text"])
            let alice = try NotesUser("counted")
            try alice.client().create(("n1", "one two three"))
            let tag = try #require(try development.client().send("GET", development.path("config")).header("ETag"))
            let (threads, rounds) = (8, 25)
            let before = try MetricsPage(client)
            let statuses = try concurrently(threads) { [development] number in
                let client = development.client()
                let stranger = development.instance.client()
                let device = alice.client()
                var statuses: [Int] = []
                for round in 0..<rounds {
                    statuses += [
                        try client.send("GET", development.path("config")).status,
                        try client.send("GET", development.path("config"), headers: [("If-None-Match", tag)]).status,
                        try client.send("HEAD", development.path("config.json")).status,
                        try client.send("GET", development.path("config/missing-\(number)-\(round)")).status,
                        try stranger.send("GET", development.path("releases")).status,
                        try client.send("PATCH", development.path("config/a"), body: []).status,
                        try client.send("GET", "/nowhere-\(number)/config").status,
                        try client.send("GET", development.path("no/such/path/\(round)")).status,
                        try client.send("FROB", development.path("config")).status,
                        try device.send(
                            "POST", "notes",
                            """
                            [["createNote", {"action_id": "\(number)-\(round)", "id": "m-\(number)-\(round)", \
                            "body": ""}],
                             ["createNote", {"action_id": "\(number)-\(round)", "id": "m-\(number)-\(round)", \
                            "body": ""}],
                             ["deleteNote", "gone"], {}]
                            """
                        ).status,
                    ]
                }
                return statuses
            }
            let round = [200, 304, 200, 404, 401, 405, 404, 404, 405, 200]
            #expect(statuses.allSatisfy { $0 == Array(repeating: round, count: rounds).flatMap(\.self) })
            let sent = threads * rounds
            var expected: [String: Int] = [:]
            for (route, method, status, count) in [
                ("/{environment}/config", "GET", 200, sent), ("/{environment}/config", "GET", 304, sent),
                ("/{environment}/config.json", "HEAD", 200, sent), ("/{environment}/config/{key}", "GET", 404, sent),
                ("/{environment}/releases", "GET", 401, sent), ("-", "PATCH", 405, sent), ("-", "GET", 404, sent),
                ("-", "other", 405, sent), ("/{environment}/notes", "POST", 200, sent),
            ] {
                let labels = "route=\"\(route)\",method=\"\(method)\",status=\"\(status)\""
                expected["{environment=\"development\",\(labels)}"] = count
            }
            expected[#"{environment="-",route="-",method="GET",status="404"}"#] = sent
            // The request for the earlier page is counted after that page was written.
            expected[#"{environment="-",route="/-/metrics",method="GET",status="200"}"#] = 1
            // The worker may count the last requests after their responses have arrived.
            var after = before
            #expect(
                try eventually {
                    after = try MetricsPage(client)
                    var growth = after.growth(of: "almanac_http_requests_total", since: before)
                    let pages = #"{environment="-",route="/-/metrics",method="GET",status="200"}"#
                    growth[pages] = min(1, growth[pages] ?? 0)
                    return growth == expected
                }, "\(after.growth(of: "almanac_http_requests_total", since: before))")
            let durations = after.growth(of: "almanac_http_request_duration_seconds_count", since: before)
            #expect(durations[#"{environment="development",route="/{environment}/config",method="GET"}"#] == 2 * sent)
            #expect(
                after.growth(of: "almanac_notes_actions_total", since: before) == [
                    #"{environment="development",status="applied"}"#: sent,
                    #"{environment="development",status="duplicate"}"#: sent,
                    #"{environment="development",status="rejected"}"#: 2 * sent,
                ])
        }

        @Test func `requests made up by a stranger add no series without end`() throws {
            func storm(_ name: String) throws {
                for number in 0..<50 {
                    let odd = "\(name)-\(number)"
                    _ = try client.send("GET", "/e-\(odd)/config")
                    _ = try client.send("GET", "/development/\(odd)")
                    _ = try client.send("GET", "/development/config/\(odd)")
                    _ = try client.send("GET", "/development/config?version=\(odd)")
                    // nginx accepts only letters in a method.
                    let letters = odd.uppercased().map {
                        $0.wholeNumberValue.map { "ABCDEFGHIJ".map(\.self)[$0] } ?? $0
                    }
                    _ = try client.send(String(letters.filter(\.isLetter)), "/development/config")
                    _ = try client.send("GET", "/-/\(odd)")
                }
            }
            // Each thread must have counted each kind of request before the comparison.
            try storm("storm-one")
            let before = try MetricsPage(client)
            try storm("storm-two")
            let after = try MetricsPage(client)
            #expect(Set(after.numbers.keys) == Set(before.numbers.keys))
            #expect(!after.numbers.keys.contains { $0.lowercased().contains("storm") })
        }
    }
}
