import AlmanacFlags
import AlmanacTestSupport
import Foundation
import Testing

extension FlagKeys { static let theme = FlagKey("theme", default: "light") }

@Suite struct EvaluationTests {
    private struct Limits: Codable, Sendable, Equatable {
        var retries: Int
        var hosts: [String]
    }

    private static let flags = [
        evaluated("faster-checkout", "true"),
        evaluated("theme", #""d\u00e4rk""#, "dark", "STATIC"),
        evaluated("retries", "3", "three", "SPLIT"),
        evaluated("whole", "4.0", "four"),
        evaluated("ratio", "0.1", "tenth", "DEFAULT"),
        evaluated("big", "9007199254740993", "big"),
        evaluated("limits", #"{"retries": 3, "hosts": ["a"]}"#, "wide"),
        #"{"key":"off","reason":"DISABLED","variant":""}"#,
        #"{"key":"undecided","reason":"DEFAULT","variant":"","value":null}"#,
        #"{"key":"broken","errorCode":"PARSE_ERROR","errorDetails":"unknown operator"}"#,
        #"{"key":"gone","errorCode":"FLAG_NOT_FOUND","errorDetails":"no such flag"}"#,
        #"{"key":"noted","value":1,"reason":"STATIC","variant":"on","metadata":{"owner":"ada","since":2,"ok":true}}"#,
        #"{"value":true,"reason":"STATIC"}"#, "7", "null", #"{"key":7}"#,
    ].joined(separator: ",")

    private func fetched(_ sandbox: Sandbox) async throws -> RemoteFlags {
        let server = try AppServer { _, connection in connection.flags("1.aaaa", Self.flags) }
        let flags = RemoteFlags(sandbox.options(server.environment))
        try await flags.fetch()
        return flags
    }

    @Test func `values come as what they are, with variant and reason`() async throws {
        let sandbox = try Sandbox()
        let flags = try await fetched(sandbox)
        #expect(flags.bool("faster-checkout", default: false))
        #expect(flags[.fasterCheckout])
        #expect(flags[.theme] == "därk")
        #expect(flags.int("retries", default: 0) == 3)
        #expect(flags.int("whole", default: 0) == 4)
        #expect(flags.int("big", default: 0) == 9_007_199_254_740_993)
        #expect(flags.double("ratio", default: 0) == 0.1)
        #expect(flags.double("retries", default: 0) == 3)
        let limits = flags.decoded("limits", as: Limits.self, default: Limits(retries: 0, hosts: []))
        #expect(limits == Limits(retries: 3, hosts: ["a"]))
        let details = flags.details(.fasterCheckout)
        #expect(details.variant == "on" && details.reason == .targetingMatch && details.error == nil)
        #expect(details.origin == .fetched)
        #expect(flags.details("theme", default: "").reason == .static)
        #expect(flags.details("noted", default: 0).metadata == ["owner": "ada", "since": 2, "ok": true])
        #expect(sandbox.reports.isEmpty)
    }

    @Test func `a flag without a value gives the default, and says why, once`() async throws {
        let sandbox = try Sandbox()
        let flags = try await fetched(sandbox)
        for _ in 0..<3 {
            #expect(flags.details("off", default: true).value)
            #expect(flags.details("off", default: true).reason == .disabled)
            #expect(flags.details("off", default: true).error == nil)
            #expect(flags.details("undecided", default: 7).value == 7)
            #expect(flags.details("undecided", default: 7).reason == .default)
            #expect(flags.details("broken", default: 7).error?.code == .parseError)
            #expect(flags.details("broken", default: 7).reason == .error)
            #expect(flags.details("gone", default: 7).error?.code == .notFound)
            #expect(flags.details("nowhere", default: "x").error?.code == .notFound)
            #expect(flags.details("theme", default: 5).value == 5)
            #expect(flags.details("theme", default: 5).error?.code == .typeMismatch)
            #expect(flags.details("theme", default: 5).variant == nil)
        }
        #expect(flags.int("ratio", default: 5) == 5)
        #expect(
            Set(sandbox.reports) == [
                .disabled(key: "off"),
                .broken(key: "broken", error: try #require(flags.details("broken", default: 0).error)),
                .missing(key: "gone"), .missing(key: "nowhere"),
                .wrongType(key: "theme", expected: "a whole number", found: "string"),
                .wrongType(key: "ratio", expected: "a whole number", found: "a fraction"),
            ])
        #expect(sandbox.reports.count == 6)
    }

    @Test func `before the first answer the defaults hold, and nobody is blamed`() throws {
        let sandbox = try Sandbox()
        let flags = RemoteFlags(sandbox.options("http://127.0.0.1:1/test"))
        #expect(flags.details(.fasterCheckout).error?.code == .notReady)
        #expect(flags.status.origin == .none)
        #expect(flags.status.isStale)
        #expect(sandbox.reports.isEmpty)
    }

    @Test func `a preview has the values that it is given`() async {
        let flags = RemoteFlags(preview: [
            "faster-checkout": true, "theme": "dark", "limits": ["retries": 3, "hosts": []],
        ])
        #expect(flags[.fasterCheckout] && flags[.theme] == "dark")
        let limits = flags.decoded("limits", as: Limits.self, default: Limits(retries: 0, hosts: ["x"]))
        #expect(limits == Limits(retries: 3, hosts: []))
        #expect(await failure { () throws(FlagFailure) in try await flags.fetch() } != nil)
    }

    @Test func `a flag of no common form is data`() async throws {
        let data: FlagData = ["a": 1, "b": [true, "x", 1.5], "c": .null]
        let flags = RemoteFlags(preview: ["any": data, "time": .date(Date(timeIntervalSince1970: 1))])
        #expect(flags.decoded("any", as: FlagData.self, default: .null) == data)
        #expect(flags.decoded("time", as: FlagData.self, default: .null) == "1970-01-01T00:00:01.000Z")
        #expect(flags.decoded("time", as: Date.self, default: .distantPast) == Date(timeIntervalSince1970: 1))
        let json = try JSONEncoder().encode([data, .double(.infinity)])
        #expect(try JSONDecoder().decode([FlagData].self, from: json) == [data, .null])
    }

    @Test func `equal contexts are the same text, and others are not`() {
        let one = FlagContext(targetingKey: "a\"b", ["b": 1, "a": [true, .null, 1.5], "z": ["y": "x"]])
        var other = FlagContext(["z": ["y": "x"], "a": [true, .null, 1.5], "b": 1, "targetingKey": "a\"b"])
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        other.attributes["b"] = 2
        #expect(one != other)
        // Keys that look equal but differ in their bytes belong to different users.
        #expect(FlagContext(targetingKey: "\u{e9}") != FlagContext(targetingKey: "e\u{301}"))
        #expect(FlagContext(["x": .double(.nan)]) == FlagContext(["x": .null]))
        #expect(FlagContext(["x": -0.0, "y": 3.0]) == FlagContext(["x": 0, "y": 3]))
        #expect(FlagContext(["x": 0.5]) != FlagContext(["x": 0]))
        #expect(FlagContext(["x": 1e300]) == FlagContext(["x": 1e300]))
    }
}
