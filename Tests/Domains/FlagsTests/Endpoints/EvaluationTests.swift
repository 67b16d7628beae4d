import AlmanacConfigDomain
import AlmanacHTTP
import AlmanacIdentity
import AlmanacTestSupport
import Testing

@testable import AlmanacFlagsDomain

@Suite(.database(.migrated)) struct EvaluationTests {
    static let set = """
        {"flags":{
        "new-ui":{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off",
          "targeting":{"if":[{"==":[{"var":"plan"},"pro"]},"on","off"]}},
        "title":{"state":"ENABLED","variants":{"short":"Hi","long":"Hello"},"defaultVariant":"long"},
        "off":{"state":"DISABLED","variants":{"on":true},"defaultVariant":"on"},
        "dark":{"state":"DISABLED","variants":{"on":1,"off":0},"defaultVariant":"on","metadata":{"almanac.off":"off"},
          "targeting":{"if":[true,"on"]}},
        "nobody":{"state":"ENABLED","variants":{"on":true}},
        "wrong":{"state":"ENABLED","variants":{"on":true},"defaultVariant":"on","targeting":{"cat":["o","ff"]}},
        "broken":{"state":"ENABLED","variants":{"on":true},"defaultVariant":"on","targeting":{"nonsense":[1]}},
        "split":{"state":"ENABLED","variants":{"a":"A","b":"B"},"defaultVariant":"a",
          "targeting":{"fractional":[["a",50],["b",50]]}}
        }}
        """

    @Test func `every reason and every error has its status and its members`() throws {
        let instance = try FlagsInstance()
        try instance.put(set: Self.set)
        let title = try instance.evaluate("title")
        #expect(title.status == 200 && title["Content-Type"] == "application/json")
        #expect(title.body == #"{"key":"title","value":"Hello","variant":"long","metadata":{},"reason":"STATIC"}"#)
        #expect(title["Almanac-Revision"] == "1" && title["Cache-Control"] == "no-store")

        for (key, context, expected) in [
            ("new-ui", #"{"targetingKey":"u1","plan":"pro"}"#, #""value":true,"variant":"on","#),
            ("new-ui", #"{"targetingKey":"u1","plan":"free"}"#, #""value":false,"variant":"off","#),
            ("off", "{}", #""variant":"","metadata":{},"reason":"DISABLED""#),
            ("dark", "{}", #""value":0,"variant":"off","metadata":{},"reason":"DISABLED""#),
            ("nobody", "{}", #""variant":"","metadata":{},"reason":"DEFAULT""#),
            ("split", "{}", #""variant":"a","metadata":{},"reason":"DEFAULT""#),
        ] {
            let answer = try instance.evaluate(key, context)
            #expect(answer.status == 200 && answer.body.contains(expected), "\(key): \(answer.body)")
        }

        for (key, status, code) in [
            ("wrong", 400, "GENERAL"), ("broken", 400, "PARSE_ERROR"), ("none", 404, "FLAG_NOT_FOUND"),
            ("x%22", 404, "FLAG_NOT_FOUND"),
        ] {
            let answer = try instance.evaluate(key)
            #expect(answer.status == status && answer["Content-Type"] == "application/json", "\(answer.body)")
            #expect(answer[member: "key"] == (key == "x%22" ? #""x\"""# : "\"\(key)\""), "\(answer.body)")
            #expect(answer[member: "errorCode"] == "\"\(code)\"")
            #expect((answer[member: "errorDetails"]?.utf8.count ?? 0) > 20)
            #expect(answer[member: "detail"] == answer[member: "errorDetails"] && answer[member: "type"] != nil)
        }
    }

    @Test func `a key may have any character`() throws {
        let answer = try FlagsInstance().evaluate("a%00%2F%C3%A9")
        #expect(answer.status == 404 && answer.body.contains(#""key":"a\u0000/é""#), "\(answer.body)")
    }

    @Test func `nothing but a body is needed, and not even that`() throws {
        let instance = try FlagsInstance()
        try instance.put(set: Self.set)
        let path = "/ofrep/v1/evaluate/flags/"
        for body in ["", "{}", #"{"context":{}}"#, #"{"context":null}"#, #"{"other":[1]}"#] {
            let answer = try instance.call("POST", path + "split", body)
            #expect(answer.status == 200 && answer.body.contains(#""reason":"DEFAULT""#), "\(body): \(answer.body)")
        }
        for slashed in ["split", "split/"] { #expect(try instance.call("POST", path + slashed).status == 200) }
        for type in ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"] {
            #expect(try instance.call("POST", path + "title", "{}", ("Content-Type", type)).status == 200)
        }
        #expect(try instance.call("POST", path + "title", "{}", ("Content-Type", "text/plain")).status == 415)
        #expect(try instance.call("POST", path + "title", "", ("Content-Type", "text/plain")).status == 200)
    }

    @Test(arguments: [
        ("nonsense", 400, "PARSE_ERROR"), (#"{"context":{}"#, 400, "PARSE_ERROR"), ("{} {}", 400, "PARSE_ERROR"),
        (#"{"context":{"a":"\ud800"}}"#, 400, "PARSE_ERROR"), (#"{"context":{"a":01}}"#, 400, "PARSE_ERROR"),
        ("[]", 400, "INVALID_CONTEXT"), (#"{"context":[]}"#, 400, "INVALID_CONTEXT"),
        (#"{"context":"u1"}"#, 400, "INVALID_CONTEXT"), (#"{"context":{"a":1,"a":2}}"#, 400, "INVALID_CONTEXT"),
        (#"{"context":{},"context":{"a":2}}"#, 400, "INVALID_CONTEXT"),
        (#"{"context":{"targetingKey":7}}"#, 400, "INVALID_CONTEXT"),
        (#"{"context":{"targetingKey":["u1"]}}"#, 400, "INVALID_CONTEXT"),
        (#"{"context":{"targetingKey":null}}"#, 200, ""), (#"{"context":{"targetingKey":""}}"#, 200, ""),
        (#"{"context":{"a":1e999}}"#, 400, "INVALID_CONTEXT"),
        (
            #"{"context":{"a":\#(String(repeating: "[", count: 80))\#(String(repeating: "]", count: 80))}}"#, 400,
            "INVALID_CONTEXT"
        ),
        (#"{"context":{"a":"\#(String(repeating: "x", count: 1 << 20))"}}"#, 413, "GENERAL"),
        (#"{"context":{"targetingKey":"u\u0000","a":9007199254740993,"plan":"pro"}}"#, 200, ""),
    ])
    func `a body that can't be taken is refused, in bulk too`(body: String, status: Int, code: String) throws {
        let instance = try FlagsInstance()
        try instance.put(set: Self.set)
        for path in ["/ofrep/v1/evaluate/flags/title", "/ofrep/v1/evaluate/flags"] {
            let answer = try instance.call("POST", path, body)
            #expect(answer.status == status, "\(answer.body.prefix(200))")
            guard status != 200 else { continue }
            #expect(answer[member: "errorCode"] == "\"\(code)\"")
            #expect((answer[member: "errorDetails"]?.utf8.count ?? 0) > 20)
            #expect(answer[member: "key"] == (path.hasSuffix("title") ? "\"title\"" : nil))
        }
    }

    @Test func `a flag is there only when it is one`() throws {
        let instance = try FlagsInstance()
        try instance.put(set: Self.set)
        _ = try instance.call("PUT", "/config/plain", #"{"value":{"state":"ENABLED","variants":{"on":true}}}"#)
        #expect(try instance.evaluate("plain").status == 404)
        #expect(try instance.evaluate("_flags").status == 404)
        #expect(try instance.evaluate("title").status == 200)
    }

    @Test func `a build that is pinned keeps the variant that it had`() throws {
        let instance = try FlagsInstance()
        try instance.put(flag: "title", #"{"state":"ENABLED","variants":{"a":"A","b":"B"},"defaultVariant":"b"}"#)
        try instance.put(flag: "title", #"{"state":"ENABLED","variants":{"a":"A"},"defaultVariant":"a"}"#)
        let path = "/ofrep/v1/evaluate/flags/title"
        for (query, header, value) in [("", "1", "B"), ("?version=1", "", "B"), ("", "2", "A"), ("", "", "A")] {
            let headers = header.isEmpty ? [] : [(name: "Almanac-Major", value: header)]
            let token = (name: "Authorization", value: "Bearer " + instance.secret(.flagsEvaluate))
            let answer = try instance.send("POST", path + query, [], headers + [token])
            #expect(answer.body.contains("\"value\":\"\(value)\""), "\(query) \(header): \(answer.body)")
        }
        let unknown = try instance.call("POST", path + "?version=9")
        #expect(unknown.status == 404 && unknown[member: "errorCode"] == "\"GENERAL\"")
    }

    @Test func `a new flag reaches pinned builds, unless their major lacks a rule that it reads`() throws {
        let instance = try FlagsInstance()
        for rule in ["old", "new"] {
            let value = #"{"value":{"$evaluators":{"\#(rule)":{"!":[false]}}}}"#
            #expect([200, 201].contains(try instance.call("PUT", "/config/_flags", value).status))
        }
        let free = #"{"state":"ENABLED","variants":{"a":"A","b":"B"},"defaultVariant":"a"}"#
        try instance.put(flag: "free", free)
        try instance.put(flag: "bound", free.dropLast() + #","targeting":{"if":[{"$ref":"new"},"b","a"]}}"#)
        let path = "/ofrep/v1/evaluate/flags/"
        #expect(try instance.call("POST", path + "free?version=1").status == 200)
        #expect(try instance.call("POST", path + "bound?version=2").status == 200)
        let answer = try instance.call("POST", path + "bound?version=1")
        #expect(answer.status == 404 && answer[member: "errorCode"] == "\"FLAG_NOT_FOUND\"")
        let reason = "at /targeting/if/0/$ref: there is no shared rule new"
        #expect(answer.body.contains("the flag 'bound' is not in major 1: \(reason)"), "\(answer.body)")
        #expect(try instance.call("POST", path + "nowhere?version=1").body.contains("there is no flag 'nowhere'"))
    }

    @Test func `answers go on while the database is away, and say so`() throws {
        let instance = try FlagsInstance()
        try instance.put(set: Self.set)
        #expect(try instance.evaluate("title")["Almanac-Stale"] == nil)
        instance.service.markStale()
        #expect(try instance.evaluate("title")["Almanac-Stale"] == "true")
        #expect(try instance.evaluateAll()["Almanac-Stale"] == "true")
    }
}
