import AlmanacEnvironments
import AlmanacEventsDomain
import AlmanacHTTP
import AlmanacIdentity
import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite(.database(.migrated)) struct HubTests {
    private let instance: EventsInstance
    private let token: String

    init() throws {
        instance = try EventsInstance()
        token = try instance.makeToken(.admin).text
    }

    private func patch(_ number: Int) throws { try instance.patch(#"{"a":\#(number)}"#, token: token) }

    private func revisions(_ reader: StreamReader, upTo revision: Int64) throws -> [Int64] {
        var revisions: [Int64] = []
        while revisions.last ?? 0 < revision, let event = try reader.next("refetchEvaluation") {
            revisions.append(try #require(event.number("revision")))
        }
        return revisions
    }

    @Test func `a stream begins with its position, and is sent every release at once`() throws {
        let reader = try instance.open()
        let hello = try #require(try reader.next())
        #expect(hello.type == "hello")
        #expect(hello.text("config")?.hasPrefix("0.") == true)
        #expect(hello.id == "config=\(hello.text("config")!)")
        try instance.patch(#"{"a":1,"b.c":2}"#, token: token)
        let event = try #require(try reader.next())
        #expect(event.type == "refetchEvaluation")
        #expect(event.number("revision") == 1)
        #expect(event.text("version") == "1.0.0")
        #expect(event.data["keys"]?.arrayValue == ["a", "b.c"])
        #expect(event.id == "config=\(event.text("etag")!.filter { $0 != "\"" })")
        try instance.patch(#"{"a":null}"#, token: token)
        let next = try #require(try reader.next())
        #expect(next.text("version") == "2.0.0")
        #expect(next.data["keys"]?.arrayValue == ["a"])
    }

    @Test func `a reader who resumes is sent the missed releases, once and in order`() throws {
        let first = try instance.open()
        let lastEventID = try #require(try first.next()?.id)
        for number in 1...450 { try patch(number) }
        #expect(try revisions(first, upTo: 450) == Array(1...450))
        let second = try instance.open(last: lastEventID)
        #expect(try second.next()?.text("config")?.hasPrefix("450.") == true)
        #expect(try revisions(second, upTo: 450) == Array(1...450))
        let middle = try #require(second.all.dropFirst(200).first?.id)
        #expect(try revisions(instance.open(last: middle), upTo: 450) == Array(201...450))
        let inQuery = try instance.open(query: "?lastEventId=\(middle)")
        #expect(try revisions(inQuery, upTo: 450) == Array(201...450))
        let newest = try instance.open(last: second.all.last?.id)
        #expect(try newest.next()?.type == "hello")
        try patch(0)
        #expect(try newest.next()?.number("revision") == 451)
    }

    @Test(arguments: [
        "x", "", "config=1.zzzz", "config=99.LINEAGE", "config=1", "notes=1.LINEAGE", "config=-1.LINEAGE",
    ])
    func `a foreign, future or malformed place is a resync`(lastEventID: String) throws {
        for number in 1...2 { try patch(number) }
        #expect(eventually { instance.hub.revision == 2 })
        let hello = try #require(try instance.open().next())
        let now = try #require(hello.text("config"))
        let lineage = try #require(now.split(separator: ".").last)
        let reader = try instance.open(last: lastEventID.replacing("LINEAGE", with: lineage))
        #expect(try reader.next()?.type == "hello")
        let resync = try #require(try reader.next())
        #expect(resync.type == "resync")
        #expect(resync.id == "config=\(now)")
        try patch(3)
        #expect(try reader.next()?.number("revision") == 3)
    }

    @Test func `a reader who has missed more than is kept reads everything anew`() throws {
        for number in 1...5 { try patch(number) }
        #expect(eventually { instance.hub.revision == 5 })
        let hello = try #require(try instance.open().next())
        let lineage = try #require(hello.text("config")?.split(separator: ".").last)
        try instance.asSuperuser("update config_head set oldest_revision = 3")
        // The hub learns the oldest revision with its next read of the database.
        try patch(6)
        #expect(eventually { instance.hub.revision == 6 })
        let late = try instance.open(last: "config=2.\(lineage)")
        #expect(try late.next("resync")?.id == "config=6.\(lineage)")
        #expect(try revisions(instance.open(last: "config=3.\(lineage)"), upTo: 6) == [4, 5, 6])
    }

    @Test func `another history ends every stream, and a reader who comes back reads everything anew`() throws {
        try patch(1)
        #expect(eventually { instance.hub.revision == 1 })
        let reader = try instance.open()
        let lastEventID = try #require(try reader.next()?.id)
        try instance.asSuperuser("update config_head set lineage = 'zzzzzzzz'")
        let bye = try #require(try reader.next(within: .seconds(6)))
        #expect(bye.type == "bye")
        #expect(bye.text("reason") == "history-replaced")
        #expect(try reader.ends())
        let again = try instance.open(last: lastEventID)
        #expect(try again.next()?.text("config") == "1.zzzzzzzz")
        #expect(try again.next()?.type == "resync")
    }

    @Test func `an API token that is revoked ends its streams and no others`() throws {
        let (text, id) = try instance.makeToken()
        let (mine, other) = (try instance.open(token: text), try instance.open(token: token))
        let anonymous = try instance.open()
        try instance.revoke(id)
        instance.hub.recheckTokens(instance.tokens.isValid)
        #expect(try mine.next("bye")?.text("reason") == "token-revoked")
        #expect(try mine.ends())
        try patch(1)
        for reader in [other, anonymous] { #expect(try reader.next("refetchEvaluation") != nil) }
    }

    @Test func `a removed person's streams end, by token, session and ticket, and nobody else's`() throws {
        let (token, _) = try instance.makeToken()
        let cookie = try instance.signIn(token)
        let ticket = try instance.address(for: "alice").requestURI.drop { $0 != "?" }
        let streams = try [instance.open(as: "alice"), instance.open(query: String(ticket))]
        let session = try instance.open(with: cookie)
        let others = try [instance.open(as: "bob"), instance.open(token: token), instance.open()]
        try instance.remove("alice")
        for stream in streams {
            #expect(try stream.next("bye")?.text("reason") == "person-removed")
            #expect(try stream.ends())
        }
        #expect(try instance.problem(as: "alice")?.kind == .personRemoved)
        #expect(try instance.problem(query: String(ticket))?.kind == .personRemoved)
        try patch(1)
        for stream in others + [session] { #expect(try stream.next("refetchEvaluation") != nil) }
        // The token of a removed owner goes on, and the session that acts as the owner ends.
        try instance.remove("operator")
        #expect(try session.next("bye")?.text("reason") == "person-removed")
        try patch(2)
        for stream in others { #expect(try stream.next("refetchEvaluation") != nil) }
    }

    @Test func `a stream without a token is refused where the config isn't public`() throws {
        let closed = try EventsInstance(configRead: .token)
        #expect(try closed.problem()?.kind == .tokenNeeded)
        #expect(try closed.problem(token: "almanac_development_x")?.kind == .tokenRefused)
        let reader = try closed.open(token: closed.makeToken().text)
        #expect(try reader.next()?.type == "hello")
        // A user without that scope can follow only their notes.
        let hello = try #require(try closed.open(as: "alice").next())
        #expect(hello.text("config") == nil)
        #expect(hello.text("notes")?.hasPrefix("0.") == true)
        #expect(hello.number("tokenExpiresIn") ?? 0 > 3500)
    }

    @Test func `HEAD begins no stream`() throws {
        let response = try instance.send("HEAD")
        #expect(response.status == 200)
        #expect(response.header("Content-Type") == "text/event-stream")
        guard case .stream(let begin) = response.body else { throw UnexpectedResult("its length is not known") }
        begin(try StreamReader().take())
        #expect(instance.hub.count == 0)
    }

    @Test(arguments: ["?wait=61", "?wait=-1", "?wait=x", "?wait=", "?wait=1&wait=2", "?since=1"])
    func `a parameter that isn't understood is refused`(query: String) throws {
        #expect(try instance.problem(query: query)?.kind == .invalidParameter)
    }

    @Test func `streams come and go by the hundred, and none is left over`() throws {
        let instance = instance
        _ = try concurrently(4) { _ in
            for _ in 0..<100 {
                let reader = try instance.open()
                guard try reader.next()?.type == "hello" else {
                    throw UnexpectedResult("a stream begins without a hello")
                }
                reader.leave()
            }
        }
        #expect(eventually { instance.hub.count == 0 })
    }

    @Test func `closing the hub ends its streams with the reason`() throws {
        let reader = try instance.open()
        instance.hub.close()
        #expect(try reader.next("bye")?.text("reason") == "restarting")
        #expect(try reader.ends())
    }
}
