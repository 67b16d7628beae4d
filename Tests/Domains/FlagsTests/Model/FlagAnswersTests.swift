import AlmanacTargeting
import Testing

@testable import AlmanacFlagsDomain

@Suite struct FlagAnswersTests {
    private func answer(_ definition: String, set: String = "", _ context: String = "{}") throws -> String {
        let document = "{\"flags\":{\"a\":\(definition)}\(set)}"
        let set = try FlagSet(try FlagValue(json: document), fractional: .version3)
        let answers = FlagAnswers(set, isPublic: [true])
        let outcome = set.evaluate(0, for: try EvaluationContext(json: Array(context.utf8)), now: 0).outcome
        var bytes: [UInt8] = []
        answers.write(outcome, of: 0, to: &bytes)
        #expect(bytes.removeLast() == UInt8(ascii: ","))
        #expect(bytes.count < answers.maxAnswerBytes(of: [0]))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Evaluates a flag with these values as variants, each in turn, and returns the values in the responses.
    private func values(_ values: String...) throws -> String {
        try values.indices.map { index in
            let variants = values.enumerated().map { "\"v\($0.offset)\":\($0.element)" }.joined(separator: ",")
            let answer = try answer(
                "{\"state\":\"ENABLED\",\"variants\":{\(variants)},\"defaultVariant\":\"v\(index)\"}")
            let start = try #require(answer.firstRange(of: "\"value\":")).upperBound
            return String(answer[start..<(try #require(answer.firstRange(of: ",\"variant\"")).lowerBound)])
        }.joined(separator: " ")
    }

    @Test func `an answer has all that clients read`() throws {
        let flag = """
            {"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off",
            "targeting":{"if":[{"==":[{"var":"plan"},"pro"]},"on",null]},
            "metadata":{"team":"shop","almanac.public":true,"cost":1.50}}
            """
        #expect(
            try answer(flag, set: ",\"metadata\":{\"set\":\"main\"}", #"{"plan":"pro"}"#)
                == #"{"key":"a","value":true,"variant":"on","metadata":{"team":"shop","cost":1.50,"set":"main"},"#
                + #""reason":"TARGETING_MATCH"}"#)
        #expect(
            try answer(flag) == #"{"key":"a","value":false,"variant":"off","metadata":{"team":"shop","cost":1.50},"#
                + #""reason":"DEFAULT"}"#)
    }

    @Test func `long metadata is written once, and answers have it`() throws {
        let text = String(repeating: "shop ", count: 100)
        let flag = #"{"state":"ENABLED","variants":{"on":true},"defaultVariant":"on","metadata":{"team":"\#(text)"}}"#
        #expect(
            try answer(flag, set: ",\"metadata\":{\"set\":\"main\"}")
                == #"{"key":"a","value":true,"variant":"on","metadata":{"team":"\#(text)","set":"main"},"#
                + #""reason":"STATIC"}"#)
    }

    @Test func `a flag without a value names no variant, and has no value`() throws {
        #expect(
            try answer(#"{"state":"DISABLED","variants":{"on":true},"defaultVariant":"on"}"#)
                == #"{"key":"a","variant":"","metadata":{},"reason":"DISABLED"}"#)
        #expect(
            try answer(#"{"state":"ENABLED","variants":{"on":true}}"#)
                == #"{"key":"a","variant":"","metadata":{},"reason":"DEFAULT"}"#)
    }

    @Test func `a failure says nothing of the rule`() throws {
        let broken = try answer(#"{"state":"ENABLED","variants":{"on":true},"targeting":{"secret":[1]}}"#)
        #expect(broken.hasPrefix(#"{"key":"a","errorCode":"PARSE_ERROR","errorDetails":"#), "\(broken)")
        let wrong = try answer(#"{"state":"ENABLED","variants":{"on":true},"targeting":{"cat":["sec","ret"]}}"#)
        #expect(wrong.hasPrefix(#"{"key":"a","errorCode":"GENERAL","errorDetails":"#), "\(wrong)")
        #expect(!broken.contains("secret") && !wrong.contains("secret"))
    }

    @Test func `numbers keep their digits, and all have a fraction if one has`() throws {
        #expect(try values("1", "2", "9007199254740991") == "1 2 9007199254740991")
        #expect(try values("1", "0.10", "-3") == "1.0 0.10 -3.0")
        #expect(try values("1", "2e3") == "1.0 2e3")
        #expect(try values("1.0") == "1.0")
        #expect(try values(#"{"a":1}"#, #"{"a":0.50}"#) == #"{"a":1} {"a":0.50}"#)
    }

    @Test func `names and texts are quoted`() throws {
        let answer = try answer(
            #"{"state":"ENABLED","variants":{"\"\u0000":"\n\\"},"defaultVariant":"\"\u0000","metadata":{"\"":"\t"}}"#)
        #expect(
            answer
                == #"{"key":"a","value":"\u000a\\","variant":"\"\u0000","metadata":{"\"":"\u0009"},"reason":"STATIC"}"#)
    }
}
