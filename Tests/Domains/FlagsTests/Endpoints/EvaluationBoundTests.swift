import AlmanacHTTP
import AlmanacTargeting
import AlmanacTestSupport
import Testing

@testable import AlmanacFlagsDomain

/// Tests the bounds on the cost of a request, for any flags and any context.
@Suite(.database(.migrated)) struct EvaluationBoundTests {
    private func repeated(_ part: String, _ count: Int) -> String {
        Array(repeating: part, count: count).joined(separator: ",")
    }

    private func set(_ count: Int, targeting: String = "{}", rest: String = "") -> String {
        let flags = (0..<count).map { number in
            #""f\#(number)":{"state":"ENABLED","variants":{"true":1,"false":2},"defaultVariant":"true","#
                + #""targeting":\#(targeting)}"#
        }
        return "{\"flags\":{\(flags.joined(separator: ","))}\(rest)}"
    }

    @Test func `an evaluation of many flags ends with the steps of one call`() throws {
        let instance = try FlagsInstance()
        try instance.put(set: set(600, targeting: #"{"in":["group-7",{"var":"groups"}]}"#))
        let groups = "\"groups\":[\(repeated("\"group-1\"", 90_000))]"
        let answer = try instance.evaluateAll("{\(groups)}")
        #expect(answer.status == 400 && answer[member: "errorCode"] == "\"GENERAL\"")
        #expect(answer.body.contains("more than 1500000 steps for this context; name fewer flags"))
        #expect(try instance.evaluateAll("{\(groups),\"flags\":[\"f1\",\"f2\"]}").flags == "f1=2 f2=2")
        #expect(try instance.evaluateAll().status == 200)
    }

    @Test func `an answer about many flags has a bound`() throws {
        let instance = try FlagsInstance()
        try instance.put(set: set(2200, rest: #","metadata":{"team":"\#(String(repeating: "x", count: 8000))"}"#))
        let answer = try instance.evaluateAll()
        #expect(answer.status == 400 && answer.body.contains("more than 16777216 bytes"))
        #expect(try instance.evaluateAll(#"{"flags":"f1,f2"}"#).flags == "f1=1 f2=1")
    }

    @Test func `an explanation of very many findings has its last ones`() throws {
        let instance = try FlagsInstance()
        let rule = #"{"if":[{"some":[[\#(repeated("1", 3000))],{"==":[{"var":""},2]}]},"true","false"]}"#
        try instance.put(set: set(1, targeting: rule))
        let answer = try instance.call("POST", "/flags/f0/explain", "{}")
        #expect(answer.status == 200 && answer[member: "omitted_steps"] == "2001")
        #expect(answer.response.bytes.count < 400_000 && answer[member: "variant"] == "\"false\"")
    }

    @Test func `the answers of a flag with many variants hold its metadata once`() throws {
        let variants = (0..<8000).map { "\"v\($0)\":\($0)" }.joined(separator: ",")
        let metadata = "{\"owner\":\"\(String(repeating: "o", count: 8000))\"}"
        let document = """
            {"flags":{"f":{"state":"ENABLED","variants":{\(variants)},"metadata":\(metadata)}},"metadata":\(metadata)}
            """
        let set = try FlagSet(try FlagValue(json: document), fractional: .version3)
        #expect(FlagAnswers(set, isPublic: [true]).bytes.count < 600_000)
    }
}
