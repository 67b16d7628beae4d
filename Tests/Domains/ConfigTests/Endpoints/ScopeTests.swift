import AlmanacEnvironments
import AlmanacHTTP
import AlmanacIdentity
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct ScopeTests {
    /// The calls with the scope that each needs, or nil if a public config needs none.
    private static let calls: [(method: String, path: String, whenPublic: Scope?, whenNot: Scope)] = [
        ("GET", "/config", nil, .configRead),
        ("GET", "/config?since=0", nil, .configRead),
        ("GET", "/config?at=1", nil, .configRead),
        ("GET", "/config.json", nil, .configRead),
        ("GET", "/config.json?at=1", nil, .configRead),
        ("GET", "/config/a", nil, .configRead),
        ("GET", "/config/missing", nil, .configRead),
        ("GET", "/config/2020-10-17T18:43:19Z", nil, .configRead),
        ("GET", "/config/a/history", .configRead, .configRead),
        ("GET", "/config/missing/history", .configRead, .configRead),
        ("GET", "/releases", .configRead, .configRead),
        ("GET", "/releases/1", .configRead, .configRead),
        ("GET", "/releases/99", .configRead, .configRead),
        ("GET", "/majors", .configRead, .configRead),
        ("GET", "/flags.json", .configRead, .configRead),
        ("GET", "/flags.json?at=1", .configRead, .configRead),
        ("PUT", "/flags.json", .configWrite, .configWrite),
        ("GET", "/diff/development", nil, .configRead),
        ("POST", "/config", .configWrite, .configWrite),
        ("PATCH", "/config", .configWrite, .configWrite),
        ("PUT", "/config/a", .configWrite, .configWrite),
        ("PUT", "/config/missing", .configWrite, .configWrite),
        ("POST", "/releases/99/restore", .configWrite, .configWrite),
        ("DELETE", "/config/missing", .configWrite, .configWrite),
        ("DELETE", "/config/missing?purge=false", .configWrite, .configWrite),
        ("DELETE", "/config/missing?purge=true", .admin, .admin),
        ("DELETE", "/majors/99", .admin, .admin),
    ]

    @Test(arguments: EnvironmentSettings.ConfigRead.allCases)
    func `every call asks for its scope and is content with it`(configRead: EnvironmentSettings.ConfigRead) throws {
        let instance = try ConfigInstance(configRead: configRead)
        try instance.put("a", "1")
        #expect(Set(Self.calls.map(\.method)).isSuperset(of: ConfigRoutes.all.map(\.method)))
        for call in Self.calls {
            let needed = configRead == .everyone ? call.whenPublic : call.whenNot
            let note = Comment("\(call.method) \(call.path)")
            for scope in [nil] + Scope.allCases.map(Optional.some) {
                // No call accepts this request body, so the config stays unchanged throughout the table.
                let answer = try instance.call(call.method, call.path, "[", as: scope)
                if let needed, scope.map({ !$0.includes(needed) }) ?? true {
                    #expect(answer.outcome == (scope == nil ? "401 token-needed" : "403 scope-too-small"), note)
                    let challenge = try #require(answer["WWW-Authenticate"], note)
                    #expect(challenge.hasPrefix("Bearer realm=\"almanac\""), note)
                    if scope != nil { #expect(challenge.contains("scope=\"\(needed.rawValue)\""), note) }
                } else {
                    #expect(![401, 403].contains(answer.status) || call.path.hasPrefix("/diff"), note)
                }
            }
        }
        #expect(instance.snapshot.head.revision == 1)
    }

    @Test func `a token that is not valid here is refused even where none is needed`() throws {
        let instance = try ConfigInstance()
        let elsewhere = try TestDatabase.with(template: .migrated) { database in
            try ConfigInstance("staging", on: database).authorization(.admin)
        }
        let malformed = ["Basic dXNlcjpwYXNz", "Bearer", ""].map { ($0, "401 token-needed") }
        let refused = [
            "Bearer x", "Bearer almanac_development_x", elsewhere,
            elsewhere.replacing("staging", with: "development"), instance.authorization(.admin) + "x",
        ].map { ($0, "401 token-refused") }
        for (authorization, outcome) in malformed + refused {
            for (method, path) in [("GET", "/config"), ("GET", "/releases"), ("PUT", "/config/a")] {
                let answer = try instance.call(method, path, #"{"value":1}"#, as: nil, ("Authorization", authorization))
                #expect(answer.outcome == outcome, "\(path) \(authorization)")
                #expect(answer["WWW-Authenticate"] != nil)
                #expect(!answer.body.contains("almanac_development_x"))
            }
        }
        #expect(instance.snapshot.head.revision == 0)
    }

    @Test func `a refused caller learns nothing of what exists`() throws {
        let instance = try ConfigInstance(configRead: .token)
        try instance.put("a", "1")
        for scope in [nil, Scope.configRead] {
            for (method, path) in [("PUT", "/config/"), ("DELETE", "/config/")] {
                let known = try instance.call(method, path + "a", #"{"value":1}"#, as: scope)
                let unknown = try instance.call(method, path + "b", #"{"value":1}"#, as: scope)
                #expect(known.body == unknown.body && known.status == unknown.status)
            }
        }
        #expect(try instance.call("GET", "/config/a", as: nil).body == instance.call("GET", "/config/b", as: nil).body)
    }
}
