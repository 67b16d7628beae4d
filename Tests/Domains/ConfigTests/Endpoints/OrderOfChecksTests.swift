import AlmanacEnvironments
import AlmanacHTTP
import AlmanacIdentity
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct OrderOfChecksTests {
    /// Sends a request that every check would refuse.
    private func call(_ route: Route<ConfigContext>, _ authorization: String?, on instance: ConfigInstance) throws
        -> TestResponse
    {
        var path = route.pattern.replacing("/{environment}", with: "")
        for name in ["key", "revision", "major", "other"] { path = path.replacing("{\(name)}", with: "0!") }
        let fields = [
            ("If-Match", "nonsense"), ("If-None-Match", "nonsense"), ("Accept", "text/plain"),
            ("Content-Type", "text/plain"), ("Almanac-Min-Revision", "nonsense"), ("Almanac-Message", "\u{1}"),
        ]
        return try instance.call(
            route.method, path + "?nonsense=1", bytes: Array("{".utf8), as: nil,
            fields + (authorization.map { [("Authorization", $0)] } ?? []))
    }

    @Test func `401 comes before every other refusal, for every call`() throws {
        let instance = try ConfigInstance(configRead: .token)
        for route in ConfigRoutes.all {
            #expect(
                try call(route, nil, on: instance).outcome == "401 token-needed", "\(route.method) \(route.pattern)")
            let refused = try call(route, "Bearer almanac_development_nonsense", on: instance).outcome
            #expect(refused == "401 token-refused", "\(route.method) \(route.pattern)")
            #expect(try call(route, instance.authorization(.admin), on: instance).status != 401)
        }
    }

    @Test func `a token that is not valid is told so first where none is needed`() throws {
        let instance = try ConfigInstance()
        for route in ConfigRoutes.all {
            let refused = try call(route, "Bearer almanac_development_nonsense", on: instance).outcome
            #expect(refused == "401 token-refused", "\(route.method) \(route.pattern)")
        }
    }

    @Test func `401 comes before 412`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        let stale = ("If-Match", "\"0.k3f9\"")
        for (method, path, body) in [
            ("PUT", "/config/a", #"{"value":2}"#), ("DELETE", "/config/a", nil), ("PATCH", "/config", #"{"a":2}"#),
            ("POST", "/config", #"{"key":"b","value":1}"#), ("POST", "/releases/1/restore", nil),
        ] as [(String, String, String?)] {
            #expect(try instance.call(method, path, body, as: nil, stale).outcome == "401 token-needed")
            #expect(try instance.call(method, path, body, as: .admin, stale).status == 412)
        }
    }
}
