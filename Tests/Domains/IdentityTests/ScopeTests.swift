import AlmanacForms
import AlmanacHTTP
import AlmanacIdentity
import Testing

@Suite struct ScopeTests {
    @Test(
        arguments: [
            (.flagsEvaluate, [.flagsEvaluate]), (.configRead, [.flagsEvaluate, .configRead]),
            (.configWrite, [.flagsEvaluate, .configRead, .configWrite, .configPropose]),
            (.configPropose, [.configPropose]), (.configApprove, [.configApprove]), (.configBypass, [.configBypass]),
            (.admin, [.flagsEvaluate, .configRead, .configWrite, .configPropose, .admin]),
        ] as [(Scope, [Scope])])
    func `a scope includes itself and those below it`(scope: Scope, included: [Scope]) {
        #expect(Scope.allCases.filter { scope.includes($0) } == included)
    }

    @Test(
        arguments: [
            (
                "config:write:app.banner.*", ["app.banner.text", "app.banner."],
                ["app.banner", "app.bannerx", "App.banner.a"]
            ),
            ("config:write:app.banner", ["app.banner"], ["app.banner.text", "app.banne", "app.bannerx"]),
            ("config:write:a*", ["a", "a.b", "ab"], ["A", "b.a"]),
        ])
    func `a scope for some keys is for those and no others`(text: String, keys: [String], otherKeys: [String]) throws {
        let scope = try #require(Scope(rawValue: text))
        #expect(scope.rawValue == text)
        let caller = Caller(name: "me", scopes: [scope])
        let changeable = try #require(caller.changeableKeys)
        #expect(keys.allSatisfy(changeable.includes) && !otherKeys.contains(where: changeable.includes))
        // The scope includes reading, but not changing all keys.
        #expect(problem { try caller.needs(.configRead) } == nil)
        #expect(problem { try caller.needs(.flagsEvaluate) } == nil)
        #expect(problem { try caller.needs(.configWrite) }?.kind == .scopeTooSmall)
        #expect(problem { try caller.needs(.admin) }?.kind == .scopeTooSmall)
        // With the scope for all keys in addition, the caller may change every key.
        #expect(Caller(name: "me", scopes: [scope, .configWrite]).changeableKeys == .all)
    }

    @Test(arguments: [
        "config:write:", "config:write:*", "config:write:.a", "config:write:a**", "config:write:a*b",
        "config:write:ä*", "config:write:a b",
        "config:write:9*", "config:read:a*", "admin:a*", "config", "", "Admin",
        "config:write:" + String(repeating: "a", count: 129),
    ])
    func `a text of another form is no scope`(text: String) {
        #expect(Scope(rawValue: text) == nil)
    }

    @Test func `who may change no key is refused, and who may change some is told apart`() throws {
        #expect(Caller(name: "me", scopes: [.configRead]).changeableKeys == nil)
        let refusal = try #require(problem { try Caller(name: "me", scopes: [.configRead]).needsChangeableKeys() })
        #expect(refusal.kind == .scopeTooSmall && refusal.detail.contains("config:write"))
        #expect(Caller(name: "me", scopes: [.admin]).changeableKeys == .all)
    }

    @Test(arguments: Scope.allCases, Scope.allCases)
    func `a caller may do what one of the scopes includes`(held: Scope, needed: Scope) throws {
        let refusal = problem { try Caller(name: "me", scopes: [held]).needs(needed) }
        #expect((refusal == nil) == held.includes(needed))
    }

    @Test func `a refusal names the scope that is needed`() throws {
        let refusal = try #require(problem { try Caller(name: "me", scopes: [.configRead]).needs(.admin) })
        #expect(refusal.kind == .scopeTooSmall)
        #expect(refusal.detail.contains("admin"))
        let challenge = try #require(refusal.headers.first { $0.name == "WWW-Authenticate" }?.value)
        #expect(challenge == #"Bearer realm="almanac", error="insufficient_scope", scope="admin""#)
    }

    @Test func `one of several scopes is enough and none opens nothing`() {
        #expect(problem { try Caller(name: "me", scopes: [.configRead, .configWrite]).needs(.configWrite) } == nil)
        for scope in Scope.allCases {
            #expect(problem { try Caller(name: "me", scopes: []).needs(scope) }?.kind == .scopeTooSmall)
        }
    }
}
