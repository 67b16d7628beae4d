import AlmanacEnvironments
import AlmanacHTTP
import AlmanacIdentity
import AlmanacTestSupport
import Testing

@testable import AlmanacFlagsDomain

@Suite(.database(.migrated)) struct VisibilityTests {
    private static let set = """
        {"flags":{
        "hidden":{"state":"ENABLED","variants":{"on":1},"defaultVariant":"on"},
        "shown":{"state":"ENABLED","variants":{"on":1},"defaultVariant":"on","metadata":{"almanac.public":true}}}}
        """

    @Test func `without a token only the flags that say so are seen, where the config is public`() throws {
        let instance = try FlagsInstance()
        try instance.put(set: Self.set)
        for sender in [FlagsInstance.Sender.nobody, .user] {
            #expect(try instance.evaluateAll(as: sender).flags == "shown=1")
            #expect(try instance.evaluate("shown", as: sender).status == 200)
            let hidden = try instance.evaluate("hidden", as: sender)
            #expect(hidden.status == 404 && hidden[member: "errorCode"] == #""FLAG_NOT_FOUND""#)
            // Except for the key, the response equals that for a missing flag.
            let missing = try instance.evaluate("absent", as: sender)
            #expect(hidden.body.replacing("hidden", with: "absent") == missing.body)
            #expect(try instance.evaluateAll(#"{"flags":["hidden"]}"#, as: sender).flags == "shown=1")
        }
        for scope in Scope.allCases where scope.includes(.flagsEvaluate) {
            #expect(try instance.evaluateAll(as: .token(scope)).flags == "hidden=1 shown=1")
            #expect(try instance.evaluateAll(as: .apiKey(scope)).flags == "hidden=1 shown=1")
        }
    }

    @Test func `where the config is not public a token is needed, and its scope`() throws {
        let instance = try FlagsInstance(configRead: .token)
        try instance.put(set: Self.set)
        for path in ["/ofrep/v1/evaluate/flags", "/ofrep/v1/evaluate/flags/shown"] {
            for (sender, status) in [(FlagsInstance.Sender.nobody, 401), (.user, 403)] {
                let answer = try instance.call("POST", path, as: sender)
                #expect(answer.status == status && answer["Content-Type"] == "application/json")
                #expect(answer[member: "errorCode"] == #""GENERAL""# && answer[member: "errorDetails"] != nil)
                #expect(answer["WWW-Authenticate"] != nil)
            }
            for scope in Scope.allCases where scope.includes(.flagsEvaluate) {
                #expect(try instance.call("POST", path, as: .apiKey(scope)).status == 200)
            }
        }
    }

    @Test func `where a token is needed the stream has a ticket, and the answer's tag goes with it`() throws {
        let clock = TestClock(milliseconds: 1_795_363_200_000)
        let instance = try FlagsInstance(configRead: .token, clock: clock.server)
        try instance.put(set: Self.set)
        let answer = try instance.evaluateAll()
        let streams = try #require(answer[member: "eventStreams"])
        #expect(streams.contains(#""requestUri":"/development/events?ticket="#), "\(streams)")
        let tag = try #require(answer["ETag"])
        #expect(try instance.evaluateAll(tag: tag).status == 304)
        // The old ticket has expired, so a client must not be told that its response is current.
        clock.advance(by: .seconds(EventTickets.interval))
        let later = try instance.evaluateAll(tag: tag)
        #expect(later.status == 200 && later[member: "eventStreams"] != streams)
    }

    @Test func `a scope for evaluating reads nothing else`() throws {
        let instance = try FlagsInstance(configRead: .token)
        try instance.put(set: Self.set)
        for path in ["/config", "/config/shown", "/config.json"] {
            #expect(try instance.call("GET", path, as: .token(.flagsEvaluate)).status == 403)
        }
    }

    @Test func `an API key is a token here, and nowhere else`() throws {
        let instance = try FlagsInstance(configRead: .token)
        try instance.put(set: Self.set)
        #expect(try instance.call("GET", "/config", as: .apiKey(.admin)).status == 401)
        let path = "/ofrep/v1/evaluate/flags"
        #expect(try instance.call("POST", path, as: .nobody, ("X-API-Key", "almanac_development_wrong")).status == 401)
        #expect(try instance.call("POST", path, as: .nobody, ("X-API-Key", "a b")).status == 401)
        #expect(try instance.call("POST", path, as: .nobody, ("X-API-Key", "")).status == 401)
        // A bearer token takes precedence.
        let wrong = ("X-API-Key", "almanac_development_wrong")
        #expect(try instance.call("POST", path, as: .token(.flagsEvaluate), wrong).status == 200)
        let bearer = ("Authorization", "Bearer almanac_development_wrong")
        #expect(try instance.call("POST", path, as: .apiKey(.flagsEvaluate), bearer).status == 401)
    }

    @Test func `a token that isn't valid is refused where none is needed`() throws {
        let instance = try FlagsInstance()
        let answer = try instance.call(
            "POST", "/ofrep/v1/evaluate/flags", "nonsense", as: .nobody,
            ("Authorization", "Bearer almanac_development_x"), ("If-None-Match", "nonsense"), ("Accept", "text/plain"))
        #expect(answer.status == 401)
    }

    @Test func `a signed-in browser evaluates as its scopes allow`() throws {
        let instance = try FlagsInstance()
        try instance.put(set: Self.set)
        let page = [(name: "Sec-Fetch-Site", value: "same-origin"), (name: "Almanac-Session", value: "1")]
        let body = Array(#"{"token":"\#(instance.secret(.configRead))"}"#.utf8)
        let opened = try instance.send("POST", "/session", body, page, application: .console)
        let cookie = String(try #require(opened["Set-Cookie"]?.split(separator: ";").first))
        let path = "/ofrep/v1/evaluate/flags"
        let signedIn = try instance.send("POST", path, [], page + [("Cookie", cookie)], application: .console)
        #expect(try signedIn.flags == "hidden=1 shown=1")
        // A request from another site, or one without the page's header, counts as not signed in.
        for fields in [[(name: "Sec-Fetch-Site", value: "cross-site"), page[1]], [page[0]]] {
            let answer = try instance.send("POST", path, [], fields + [("Cookie", cookie)], application: .console)
            #expect(try answer.flags == "shown=1")
        }
    }
}
