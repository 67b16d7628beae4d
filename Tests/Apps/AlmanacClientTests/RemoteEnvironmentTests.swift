import AlmanacClient
import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@Suite struct RemoteEnvironmentTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func profile(_ server: ScriptedServer, _ environment: String, token: String? = nil) throws -> Profile {
        let path = try token.map { try folder.write("token", Array($0.utf8)) }
        return Profile(url: server.base + "/", environment: environment, tokenFile: path)
    }

    @Test func `a token goes only to the environment that it is for`() throws {
        let server = try ScriptedServer { _ in .response(body: "{}".utf8) }
        let token = "almanac_staging_secret_with_more"
        _ = try RemoteEnvironment(try profile(server, "staging", token: token + "\n")).state()
        _ = try RemoteEnvironment(try profile(server, "development", token: token)).state()
        _ = try RemoteEnvironment(try profile(server, "development", token: "a.b.c")).state()
        let sent = server.messages.map { $0.contains("Authorization: Bearer") }
        #expect(sent == [true, false, true])
        let failure = try #require(throws: CallFailure.self) {
            try RemoteEnvironment(try profile(server, "development", token: token), needsToken: true)
        }
        #expect(failure.kind == .notAllowed)
        #expect(failure.description.contains("'staging'"))
        #expect(!failure.description.contains("secret"))
    }

    @Test(arguments: ["", "a b", "a\nb: c", "ä"]) func `a token file with anything else in it is refused`(
        text: String
    ) throws {
        let server = try ScriptedServer { _ in .response(body: "{}".utf8) }
        if text == "a b" {
            // White space in a token file is removed, because editors add line breaks.
            _ = try RemoteEnvironment(try profile(server, "staging", token: text)).state()
        } else if text.contains("\n") {
            _ = try RemoteEnvironment(try profile(server, "staging", token: text)).state()
            #expect(server.messages.allSatisfy { !$0.contains("\nb:") })
        } else {
            #expect(throws: CallFailure.self) {
                try RemoteEnvironment(try profile(server, "staging", token: text))
            }
        }
    }

    @Test(arguments: ["Staging", "", "a/b", "..", "1a"]) func `an environment's name is a slug`(name: String) throws {
        let server = try ScriptedServer { _ in .response(body: "{}".utf8) }
        #expect(throws: SettingsFailure.self) { try RemoteEnvironment(Profile(url: server.base, environment: name)) }
    }

    @Test(arguments: ["http://example.com", "example.com", "https://a?b", "ftp://localhost"])
    func `a server is asked over HTTPS, or on this machine`(url: String) {
        #expect(throws: SettingsFailure.self) { try RemoteEnvironment(Profile(url: url, environment: "a")) }
    }

    @Test func `an environment that the server doesn't have is no missing key`() throws {
        let problem = #"{"type":"urn:almanac:problem:environment-not-found","title":"t","status":404,"detail":"d"}"#
        let server = try ScriptedServer { _ in .response("404 Not Found", body: problem.utf8) }
        let remote = try RemoteEnvironment(try profile(server, "stagin"))
        let failure = try #require(throws: CallFailure.self) { try remote.state() }
        #expect(failure.kind == .noEnvironment)
        #expect(failure.environment == "stagin")
        #expect(failure.description.contains("there is no environment 'stagin' at \(server.base)"))
        let tokens = Profile(url: server.base, environment: "stagin", tokenFile: "\(folder.path)/{environment}.token")
        let missing = try #require(throws: CallFailure.self) { try RemoteEnvironment(tokens) }
        #expect(missing.kind == .notAllowed)
        #expect(missing.environment == "stagin")
    }

    @Test func `an answer that may be out of date is told`() throws {
        let server = try ScriptedServer { _ in .response(headers: ["Almanac-Stale: true"], body: "{}".utf8) }
        let staleCount = Monitor(0)
        let remote = try RemoteEnvironment(try profile(server, "test")) { staleCount.update { $0 += 1 } }
        _ = try remote.state()
        #expect(staleCount.read { $0 } == 1)
    }

    @Test func `a request that is too large is refused with its size`() throws {
        let problem =
            #"{"type":"urn:almanac:problem:body-too-large","title":"t","status":413,"detail":"at most 4 MiB"}"#
        let server = try ScriptedServer { _ in .response("413 Content Too Large", body: problem.utf8) }
        let remote = try RemoteEnvironment(try profile(server, "test"))
        let failure = try #require(throws: CallFailure.self) {
            try remote.set("a", to: .string(String(repeating: "x", count: 1000)), description: nil, message: nil)
        }
        #expect(failure.description.contains("at most 4 MiB"))
        #expect(failure.description.contains("this request has 1012 bytes"))
    }

    @Test func `segments and parameters are percent-encoded`() throws {
        let server = try ScriptedServer { _ in .response(body: "{}".utf8) }
        _ = try RemoteEnvironment(try profile(server, "staging")).entry("../é?", version: "1&at=2")
        #expect(server.requests == ["/staging/config/..%2F%C3%A9%3F?version=1%26at%3D2"])
    }

    @Test(arguments: [
        ("404 Not Found", CallFailure.Kind.notFound), ("410 Gone", .notFound),
        ("412 Precondition Failed", .preconditionFailed),
        ("401 Unauthorized", .notAllowed), ("403 Forbidden", .notAllowed), ("503 Service Unavailable", .refused),
        ("302 Found", .refused),
    ])
    func `a problem document becomes a failure of its kind`(status: String, kind: CallFailure.Kind) throws {
        let server = try ScriptedServer { _ in
            .response(status, body: #"{"type":"urn:almanac:problem:some-name","detail":"do this"}"#.utf8)
        }
        let failure = try #require(throws: CallFailure.self) {
            try RemoteEnvironment(try profile(server, "staging")).state()
        }
        #expect(failure.kind == kind)
        #expect(failure.problem == "some-name")
        #expect(failure.description.hasPrefix("do this"))
    }

    @Test(arguments: ["", "<html>", "[]", "{\"a\":"]) func `an answer that is not Almanac's is a failure`(
        body: String
    ) throws {
        let server = try ScriptedServer { _ in .response(body: body.utf8) }
        let failure = try #require(throws: CallFailure.self) {
            try RemoteEnvironment(try profile(server, "staging")).state()
        }
        #expect(failure.kind == .refused)
    }
}
