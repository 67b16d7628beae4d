import AlmanacHTTP
import AlmanacIdentity
import AlmanacJSON
import AlmanacTestSupport
import Testing

@testable import AlmanacEventsDomain

@Suite(.database(.migrated)) struct StatusTests {
    @Test func `it says how many streams the environment has, to those who read its config with a token`() throws {
        let instance = try EventsInstance()
        let token = try instance.makeToken(.configRead).text
        func status() throws -> JSONObject? {
            try JSONValue(parsing: instance.send(query: "/status", token: token).bytes).objectValue
        }
        #expect(try status()?["streams"] == .some(0))
        #expect(try status()?.members.map(\.name) == ["version", "started_at", "streams"])
        let reader = try instance.open()
        _ = try reader.next()
        #expect(try status()?["streams"] == .some(1))
        #expect(try instance.problem(query: "/status")?.kind == .tokenNeeded)
        #expect(try instance.problem(query: "/status?x=1", token: token)?.kind == .invalidParameter)
    }
}
