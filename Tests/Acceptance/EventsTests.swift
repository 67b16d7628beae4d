import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    @Suite struct EventsTests {
        private let instance: Instance
        private let development: LiveEnvironment

        init() throws { (instance, development) = try (Instance.current(), LiveEnvironment("development")) }

        @Test func `a stream says hello, and gets a release as soon as it is made`() throws {
            try development.reset(to: ["a": 1])
            let (stream, lastEventID) = try development.settledStream()
            #expect(stream.text.contains("text/event-stream"))
            let client = development.client()
            #expect(
                lastEventID
                    == "config=\(try client.send("GET", development.path("config")).header("Almanac-Cursor") ?? "")")
            var delays: [Duration] = []
            for number in 2...6 {
                let start = ContinuousClock.now
                let answer = try client.put(development.path("config/a"), .number(JSONNumber(Int64(number))))
                let event = try #require(try stream.next())
                delays.append(ContinuousClock.now - start)
                #expect(event.type == "refetchEvaluation")
                #expect(event.number("revision") == answer.revision)
                #expect(event.text("version") == answer.version)
                #expect(event.data["keys"]?.arrayValue == ["a"])
                #expect(event.number("spreadMs") == 0)
                let cursor = try #require(answer.header("Almanac-Cursor"))
                #expect(event.text("etag") == "\"\(cursor)\"")
                #expect(event.id == "config=\(cursor)")
                #expect(event.number("lastModified") ?? 0 > 1_600_000_000)
            }
            print("from sending a PUT to reading its event: \(delays.map { $0 / .milliseconds(1) }.sorted()) ms")
        }

        @Test func `alice's actions never reach bob, and each has the config too`() throws {
            let (alice, bob) = (try NotesUser("alice"), try NotesUser("bob"))
            let (hers, his) = (try alice.stream(), try bob.stream())
            for stream in [hers, his] { #expect(try stream.next()?.type == "hello") }
            _ = try development.settledStream()
            for stream in [hers, his] { while try stream.next(within: .milliseconds(300)) != nil {} }
            try alice.client().create(("n1", "milk"))
            #expect(
                try alice.client().outcomes(
                    #"[["updateNote",{"action_id":"phone-1","id":"n1","base":1,"body":[4,"\nbread"]}]]"#) == ["applied"]
            )
            #expect(try hers.next()?.type == "noteCreated")
            let update = try #require(try hers.next())
            #expect(update.type == "noteUpdated")
            #expect(update.text("action_id") == "phone-1")
            #expect(update.data["body"]?.arrayValue == [4, "\nbread"])
            #expect(update.number("base") == 1)
            try development.reset(to: ["a": .number(JSONNumber(Int64.random(in: 0...1_000_000)))])
            // If his stream contained her events, they would come first.
            #expect(try his.next()?.type == "refetchEvaluation")
            #expect(try hers.next()?.type == "refetchEvaluation")
        }

        @Test func `a reader that resumes gets what it missed`() throws {
            try development.reset(to: ["a": 1])
            let (first, lastEventID) = try development.settledStream()
            first.cut()
            let client = development.client()
            let revisions = try (2...30).map {
                try client.put(development.path("config/a"), .number(JSONNumber(Int64($0)))).revision
            }
            let second = try development.stream(last: lastEventID)
            let hello = try #require(try second.next())
            #expect(hello.type == "hello")
            #expect(hello.id == lastEventID)
            #expect(try revisions.map { _ in try second.next()?.number("revision") } == revisions)
        }

        @Test(arguments: ["nonsense", "config=1.zzzz", "config=999999999.zzzz", "config=1,notes=2", "🦄"])
        func `a place that is not known is a resync`(lastEventID: String) throws {
            let stream = try development.stream(last: lastEventID)
            #expect(try stream.next()?.type == "hello")
            #expect(try stream.next()?.type == "resync")
        }

        @Test func `without a token there is no stream where the config isn't public`() throws {
            try staging(configRead: "token") {
                let staging = try LiveEnvironment("staging")
                let refused = try instance.client().send("GET", staging.path("events"))
                #expect(refused.outcome == "401 token-needed")
                #expect(refused.header("WWW-Authenticate") != nil)
                #expect(try staging.stream(token: staging.token).next()?.type == "hello")
                let foreign = try instance.client(token: development.token).send("GET", staging.path("events"))
                #expect(foreign.outcome == "401 token-refused")
            }
        }

        @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "TRACE"])
        func `a stream is asked for with GET`(method: String) throws {
            let answer = try instance.client().send(method, development.path("events"))
            // nginx refuses TRACE itself, at every address.
            #expect(answer.status == (method == "TRACE" ? 501 : 405))
            #expect((answer.header("Allow")?.contains("GET") == true) == (method != "TRACE"))
        }

        @Test func `HEAD shows the headers, and ends`() throws {
            let answer = try instance.client().send("HEAD", development.path("events"))
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "text/event-stream")
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(answer.body.isEmpty)
        }

        @Test func `a client that does not take events is refused, and a weighed Accept is not`() throws {
            let client = instance.client()
            #expect(
                try client.send("GET", development.path("events"), headers: [("Accept", "application/json")]).outcome
                    == "406 not-acceptable")
            for query in ["wait=61", "wait=x", "since=1"] {
                #expect(try client.send("GET", development.path("events?\(query)")).status == 400, "\(query)")
            }
            let poll = try client.send(
                "GET", development.path("events?wait=0"), headers: [("Accept", "text/event-stream, */*;q=0.1")])
            #expect(poll.status == 200)
            #expect(poll.text.hasPrefix("id: config="))
        }

        @Test func `a page of any origin may follow the public config`() throws {
            let origin = [("Origin", "https://elsewhere.example")]
            let poll = try instance.client().send("GET", development.path("events?wait=0"), headers: origin)
            #expect(poll.status == 200)
            #expect(poll.header("Access-Control-Allow-Origin") == "*")
        }

        @Test func `events are neither gathered nor compressed on their way`() throws {
            let stream = try development.stream(headers: [("Accept-Encoding", "gzip")])
            #expect(try stream.next()?.type == "hello")
            #expect(!stream.text.lowercased().contains("content-encoding"))
            for version in ["--http1.1", "--http2"] {
                #expect(try development.stream(options: [version]).next()?.type == "hello", "\(version)")
            }
        }

        @Test func `a long poll waits for a change, and is over with it`() throws {
            let client = development.client()
            let start = try instance.client().send("GET", development.path("events?wait=25"))
            #expect(start.text.contains(#""type":"hello""#))
            let (_, lastEventID) = try development.settledStream()
            let poll = try development.stream(query: "?wait=25&lastEventId=\(lastEventID)")
            #expect(try poll.next(within: .milliseconds(500)) == nil)
            let value = JSONValue.number(JSONNumber(Int64.random(in: 0...1_000_000_000)))
            let revision = try client.put(development.path("config/poll"), value).revision
            #expect(try poll.next()?.number("revision") == revision)
            #expect(poll.ends())
        }

        @Test func `the eleventh stream of an account is refused by the process that holds ten`() throws {
            let user = try NotesUser()
            var streams: [EventStream] = []
            // Two processes share the streams, and each counts its own.
            var refused: EventStream?
            while refused == nil, streams.count < 21 {
                let stream = try user.stream()
                if stream.status() == 200 { streams.append(stream) } else { refused = stream }
            }
            #expect((10...20).contains(streams.count))
            #expect(refused?.status() == 429)
            #expect(refused?.ends() == true)
            #expect(refused?.text.contains("too-many-streams") == true)
            #expect(refused?.text.lowercased().contains("retry-after") == true)
            for stream in streams { stream.cut() }
            #expect(try eventually { try user.stream().status() == 200 })
        }

        @Test func `a stream ends with its token`() throws {
            let stream = try development.stream(token: NotesUser("short").token(expiringIn: 3))
            let hello = try #require(try stream.next())
            #expect(hello.number("tokenExpiresIn") ?? 99 <= 3)
            let bye = try #require(try stream.next("bye", within: .seconds(9)))
            #expect(bye.text("reason") == "token-expired")
            #expect(stream.ends())
        }

        @Test func `a stream ends when its API token is revoked`() throws {
            let token = try development.almanac("token", "create", "--scope", "config:read", "--label", "stream")
            let list = try JSONValue(parsing: Array(try development.almanac("token", "list", "--json").utf8))
            let id = try #require(
                list.arrayValue?.compactMap(\.objectValue).last { $0["label"] == "stream" }?["id"]?.stringValue)
            let streams = try (0..<4).map { _ in try development.stream(token: token) }
            for stream in streams { #expect(try stream.next()?.type == "hello") }
            _ = try development.almanac("token", "revoke", id)
            for stream in streams {
                #expect(try stream.next("bye", within: .seconds(5))?.text("reason") == "token-revoked")
                #expect(stream.ends())
            }
        }

        @Test func `the events processes tell how they are`() throws {
            let client = instance.client()
            #expect(try client.send("GET", "/-/events/live").status == 200)
            let ready = try client.send("GET", "/-/events/ready")
            #expect(ready.status == 200)
            #expect(ready["ready"] == true)
        }

        /// Runs a body while staging's config is readable with a token only, or by everyone.
        private func staging(configRead: String, _ body: () throws -> Void) throws {
            let path = instance.path("environments.json")
            let before = try File.read(path)
            var document = try #require(try JSONValue(parsing: before).objectValue)
            var staging = try #require(document["staging"]?.objectValue)
            staging = staging.setting("config_read", .string(configRead))
            document = document.setting("staging", .object(staging))
            try write(Array("\(JSONValue.object(document))".utf8), to: path)
            let anonymous = instance.client()
            defer {
                try? write(before, to: path)
                _ = eventually { (try? anonymous.send("HEAD", "/staging/events").status) == 200 }
            }
            // Ask often, because each of the two processes reloads at its own time.
            #expect(
                try eventually {
                    try (0..<30).allSatisfy { _ in try anonymous.send("HEAD", "/staging/events").status == 401 }
                })
            try body()
        }

        private func write(_ bytes: [UInt8], to path: String) throws {
            // Write in place, because the file's owner and permissions must stay.
            _ = try Command.run("sh", ["-c", "cat > \"$0\"", path], input: bytes)
            let outcome = try Command.run("\(instance.checkout)/deploy/run", ["--reload"])
            guard outcome.succeeded else { throw InstanceFailure(description: outcome.errors) }
        }
    }
}
