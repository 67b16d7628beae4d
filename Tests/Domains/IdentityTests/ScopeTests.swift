import AlmanacHTTP
import AlmanacIdentity
import Testing

@Suite struct ScopeTests {
    @Test(
        arguments: [
            (.configRead, [.configRead]), (.configWrite, [.configRead, .configWrite]),
            (.admin, [.configRead, .configWrite, .admin]),
        ] as [(Scope, [Scope])])
    func `a scope includes itself and those below it`(scope: Scope, included: [Scope]) {
        #expect(Scope.allCases.filter { scope.includes($0) } == included)
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
