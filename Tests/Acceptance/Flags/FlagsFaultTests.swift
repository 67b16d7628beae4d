import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of evaluations during releases, during a database outage, and with tokens of few permissions.
    @Suite struct FlagsFaultTests {
        /// Returns two flags whose values are both the number of their release.
        private static func pair(_ number: Int) -> String {
            let flag = #"{"state":"ENABLED","variants":{"v":\#(number),"w":-1},"defaultVariant":"v","targeting":"#
            return #"{"left":\#(flag){"if":[{"var":"none"},"w"]}},"right":\#(flag){}}}"#
        }

        @Test func `evaluations beside releases never fail, see whole releases, and never go back`() throws {
            let environment = try FlagsEnvironment()
            try environment.put(Self.pair(0))
            let releases = 150
            let isOver = try Event()
            let counts = Monitor(0)
            let readers = Monitor<[Result<Int, any Error>]>([])
            let threads = (0..<8).map { number in
                Thread(name: "reader \(number)") {
                    let outcome = Result {
                        try Self.follow(environment, isBulk: number < 4, until: isOver) { counts.update { $0 += 1 } }
                    }
                    readers.update { $0.append(outcome) }
                }
            }
            let client = environment.live.client()
            for number in 1...releases {
                let answer = try client.send(
                    "PUT", environment.live.path("flags.json"), body: Array(#"{"flags":\#(Self.pair(number))}"#.utf8))
                #expect(answer.status == 200, "\(answer.text)")
            }
            // Every reader has evaluated during the releases, and once after the last release.
            isOver.set()
            for thread in threads { #expect(thread.wait(upTo: .seconds(60))) }
            #expect(counts.read { $0 } >= threads.count)
            for outcome in readers.read({ $0 }) {
                switch outcome {
                case .success(let last): #expect(last == releases)
                case .failure(let error): Issue.record(error)
                }
            }
        }

        /// Evaluates until `isOver` is set. Returns the last value of the flags.
        private static func follow(
            _ environment: FlagsEnvironment, isBulk: Bool, until isOver: Event, each: () -> Void
        ) throws -> Int {
            let client = environment.live.client()
            var last = (revision: Int64(0), number: -1)
            var tag: String?
            while true {
                // Read `isOver` before the request, so that the last request comes after the last release.
                let isLast = isOver.isSet
                let path = environment.live.path("ofrep/v1/evaluate/flags") + (isBulk ? "" : "/left")
                let known = isBulk ? tag.map { [("If-None-Match", $0)] } ?? [] : []
                let answer = try client.send("POST", path, headers: known, body: Array(#"{"context":{}}"#.utf8))
                each()
                guard answer.status == 200 || answer.status == 304, let revision = answer.revision,
                    revision >= last.revision
                else { throw InstanceFailure(description: "\(answer.status) after \(last): \(answer.text)") }
                if answer.status == 200 {
                    tag = answer.header("ETag")
                    let flags = isBulk ? answer["flags"]?.arrayValue ?? [] : [try answer.json()]
                    let numbers = flags.compactMap { $0.objectValue?["value"]?.numberValue?.int64 }
                    guard numbers.count == flags.count, Set(numbers).count == 1, let number = numbers.first,
                        Int(number) >= last.number
                    else { throw InstanceFailure(description: "not one release's: \(answer.text)") }
                    last = (revision, Int(number))
                }
                if isLast { return last.number }
            }
        }

        @Test func `flags are evaluated while the database is away, and say that they may be old`() throws {
            let environment = try FlagsEnvironment()
            try environment.put(#"{"sound":\#(FlagsEnvironment.sound)}"#)
            let instance = environment.live.instance
            let fresh = try environment.evaluate(#"{"plan":"pro"}"#)
            #expect(fresh.status == 200 && fresh.header("Almanac-Stale") == nil)
            try instance.run("--stop-service", "postgres")
            defer {
                #expect(throws: Never.self) { try instance.run("--start-service", "postgres") }
                #expect(
                    eventually(within: .seconds(20)) {
                        (try? environment.evaluate("{}"))?.header("Almanac-Stale") == nil
                            && (try? environment.live.client().send("GET", "/-/ready"))?.status == 200
                    })
            }
            #expect(
                eventually(within: .seconds(20)) {
                    (try? environment.evaluate("{}"))?.header("Almanac-Stale") == "true"
                })
            let bulk = try environment.evaluate(#"{"plan":"pro"}"#)
            #expect(try bulk.outcomes() == ["sound": "on"])
            let single = try environment.evaluate(#"{"plan":"free"}"#, flag: "sound")
            #expect(single.status == 200 && single["variant"]?.stringValue == "off")
            #expect(single.header("Almanac-Stale") == "true")
            let path = environment.live.path("ofrep/v1/evaluate/flags")
            let known = try environment.live.client().send(
                "POST", path, headers: [("If-None-Match", try #require(bulk.header("ETag")))],
                body: Array(#"{"context":{"plan":"pro"}}"#.utf8))
            #expect(known.status == 304)
            let exported = try environment.send("GET", "flags.json")
            #expect(exported.status == 200 && exported.header("Almanac-Stale") == "true")
            let write = try environment.send("PATCH", "config", #"{"sound":{"state":"DISABLED"}}"#)
            #expect(write.status == 503)
            // The outage reveals no flag to anonymous callers.
            let anybody = try instance.client().send("POST", path, body: [])
            #expect(try anybody.outcomes().isEmpty)
        }

        /// The calls that the scope `flags:evaluate` does not permit.
        private static let calls: [(method: String, path: String, body: String?)] = [
            ("GET", "flags.json", nil), ("GET", "flags.json?at=1", nil), ("PUT", "flags.json", #"{"flags":{}}"#),
            ("GET", "flags", nil), ("GET", "flags/sound/evaluations", nil), ("POST", "flags/sound/explain", "{}"),
            ("POST", "flags/sound/sample", "{}"), ("POST", "imports/unleash", #"{"files":[]}"#),
            ("POST", "flags/sound/disable", nil), ("POST", "flags/sound/enable", nil),
            ("PATCH", "config", #"{"sound":{"state":"DISABLED"}}"#), ("DELETE", "config/sound", nil),
            ("PUT", "config/sound", #"{"kind":"flag","value":{}}"#), ("GET", "config/sound/history", nil),
            ("GET", "releases", nil), ("GET", "tokens", nil), ("GET", "openfeature/v0/manifest", nil),
        ]

        @Test(arguments: calls)
        func `a token that may evaluate sees no rule and changes nothing`(
            method: String, path: String, body: String?
        ) throws {
            let environment = try FlagsEnvironment()
            try environment.put(#"{"sound":\#(FlagsEnvironment.sound)}"#)
            let before = try environment.revision()
            let folder = try TemporaryFolder()
            let file = "\(folder.path)/token"
            _ = try CommandLineProgram().output(
                "token", "create", environment.live.name, "--scope", "flags:evaluate", "--label", "app", "--output",
                file)
            let token = String(decoding: try File.read(file), as: UTF8.self).filter { !$0.isWhitespace }
            let client = environment.live.instance.client(token: token)
            #expect(
                try eventually {
                    try environment.evaluate(Array(#"{"context":{"plan":"pro"}}"#.utf8), flag: "sound", client: client)
                        .status == 200
                })
            let answer = try client.send(method, environment.live.path(path), body: body.map { Array($0.utf8) })
            #expect(answer.status == 403, "\(answer.text)")
            #expect(!answer.text.contains("plan"))
            #expect(try environment.revision() == before)
        }

        @Test(arguments: ["config", "config.json", "config?since=0", "config/sound", "config?at=1", "diff/development"])
        func `a token that may evaluate reads the config as anybody does, without flags`(path: String) throws {
            let environment = try FlagsEnvironment()
            try environment.put(#"{"sound":\#(FlagsEnvironment.sound)}"#)
            let anybody = try environment.live.instance.client().send("GET", environment.live.path(path))
            #expect(!anybody.text.contains("\"plan\""), "\(anybody.text)")
            #expect(anybody.status == 200 || (path == "config/sound" && anybody.status == 404) || anybody.status == 409)
        }

        @Test func `when a flag was last evaluated is seen within a minute`() throws {
            let environment = try FlagsEnvironment()
            try environment.put(#"{"watched":\#(FlagsEnvironment.sound),"other":\#(FlagsEnvironment.sound)}"#)
            #expect(try environment.evaluate(#"{"plan":"pro"}"#).status == 200)
            for _ in 0..<3 {
                #expect(try environment.evaluate(#"{"plan":"pro"}"#, flag: "watched").status == 200)
            }
            func use(_ key: String) throws -> JSONValue? {
                try environment.send("GET", "flags").json().objectValue?["flags"]?.arrayValue?
                    .first { $0.objectValue?["key"]?.stringValue == key }
            }
            func evaluations(_ key: String, _ variant: String) throws -> String? {
                try use(key)?.objectValue?["variants"]?.arrayValue?
                    .first { $0.objectValue?["name"]?.stringValue == variant }?.objectValue?["evaluations"]?
                    .numberValue?.text
            }
            #expect(try eventually(within: .seconds(60)) { try evaluations("watched", "on") == "4" })
            #expect(try use("watched")?.objectValue?["last_evaluated_at"]?.stringValue != nil)
            #expect(try evaluations("watched", "off") == "0")
            #expect(try evaluations("other", "on") == "1")
        }
    }
}
