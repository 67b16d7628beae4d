import AlmanacEnvironments
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct LimitTests {
    private func instance(_ change: (inout Limits) -> Void) throws -> ConfigInstance {
        var limits = Limits()
        change(&limits)
        return try ConfigInstance(limits: limits)
    }

    @Test func `a value may be as large as the limit and no larger`() throws {
        let instance = try instance { $0.valueBytes = 100 }
        try instance.put("a", "\"\(String(repeating: "x", count: 98))\"")
        let larger = "\"\(String(repeating: "x", count: 99))\""
        #expect(try instance.call("PUT", "/config/a", #"{"value":\#(larger)}"#).outcome == "422 limit-exceeded")
        #expect(
            try instance.call("POST", "/config", #"{"key":"b","value":\#(larger)}"#).outcome == "422 limit-exceeded")
        #expect(try instance.call("PATCH", "/config", #"{"b":1,"c":\#(larger)}"#).outcome == "422 limit-exceeded")
        // Each patch is small, but the merged value is too large.
        try instance.patch("{\"m\":{\"a\":\"\(String(repeating: "x", count: 60))\"}}")
        let second = "{\"m\":{\"b\":\"\(String(repeating: "x", count: 60))\"}}"
        #expect(try instance.call("PATCH", "/config", second).outcome == "422 limit-exceeded")
        #expect(instance.snapshot.head.revision == 2)
    }

    @Test func `there are as many entries as the limit says, removed ones not counted`() throws {
        let instance = try instance { $0.entries = 3 }
        try instance.patch(#"{"a":1,"b":1,"c":1}"#)
        #expect(try instance.call("PUT", "/config/d", #"{"value":1}"#).outcome == "422 limit-exceeded")
        #expect(try instance.call("PATCH", "/config", #"{"d":1,"e":1,"a":null}"#).outcome == "422 limit-exceeded")
        try instance.put("a", "2")
        try instance.patch(#"{"d":1,"a":null}"#)
        try instance.delete("b")
        try instance.put("e", "1")
        #expect(try instance.call("POST", "/config", #"{"key":"a","value":1}"#).outcome == "422 limit-exceeded")
        #expect(try instance.call("GET", "/config").entries == "c=1 d=1 e=1")
        // A state that was within the limits may be restored.
        #expect(try instance.call("POST", "/releases/1/restore").status == 200)
    }

    @Test func `a body is refused by its length, before it is read`() throws {
        let instance = try instance { $0.bodyBytes = 1024 }
        let value = String(repeating: "x", count: 1024 - #"{"value":""}"#.utf8.count)
        try instance.put("a", "\"\(value)\"")
        #expect(try instance.call("PUT", "/config/a", #"{"value":"x\#(value)"}"#).outcome == "413 body-too-large")
    }

    @Test func `a document is as deep as the limit and no deeper`() throws {
        let instance = try instance { $0.depth = 5 }
        try instance.put("a", "[[[[]]]]")
        #expect(try instance.call("PUT", "/config/a", #"{"value":[[[[[]]]]]}"#).outcome == "422 limit-exceeded")
        try instance.patch(#"{"b":{"c":{"d":{"e":{}}}}}"#)
        #expect(
            try instance.call("PATCH", "/config", #"{"b":{"c":{"d":{"e":{"f":{}}}}}}"#).outcome == "422 limit-exceeded")
    }
}
