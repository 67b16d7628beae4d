import AlmanacTargeting
import Testing

@Suite struct DefinitionTests {
    @Test func `the example of the documentation comes out as it says`() throws {
        #expect(try Examples.evaluating() == "off")
    }

    @Test(arguments: [
        #"{}"#, "null", #"{"if":[true,"on"]}"#, #"{"if":[false,"off",false,null,true,"on"]}"#, #"{"!":true}"#,
        #"{"fractional":[["on",1]]}"#, #"{"fractional":[["on"],["off",1],[{"var":"x"},1]]}"#,
        #"{"fractional":[{"cat":["a",{"var":"b"}]},["on",{"-":[{"var":"$flagd.timestamp"},1740000000]}],["off",1]]}"#,
        #"{"sem_ver":[{"var":"version"},">=","2.0.0-beta+1"]}"#, #"{"<":[1,{"var":"a"},3]}"#, #"{"merge":[1,[2]]}"#,
        #"{"in":["Ringo",["John","Paul"]]}"#, #"{"var":["a",1]}"#, #"{"missing":[]}"#, #"{"missing_some":[1,["a"]]}"#,
        #"{"if":[{"$ref":"staff"},"on","off"]}"#,
        #"{"almanac.date":[{"var":"$flagd.timestamp"},">","2026-07-01T00:00:00Z"]}"#,
        #"{"almanac.network":[{"almanac.lower":{"var":"ip"}},["10.0.0.0/8","::1"]]}"#,
        #"{"almanac.version":[{"var":"v"},">=","2.10.0.4"]}"#, #"{"almanac.padded":[{"var":"v"},"<","2.10-rc.1"]}"#,
        #"{"in":[{"almanac.hashed":[{"var":"email"},["salt","key"],-5]},["ab"]]}"#,
        #"{"almanac.matches":[{"var":"email"},"^[a-z]+@example\\.(com|org)$"]}"#,
        #"{"almanac.ramp":[[["2026-07-01T00:00:00+02:00",0],["2026-07-02",100]],"on"]}"#,
    ]) func `what flagd's schema takes, and ours, is taken`(rule: String) throws {
        let set = try flagSet(rule, evaluators: #"{"staff":{"ends_with":[{"var":"email"},"@example.com"]}}"#)
        #expect(set.faults.isEmpty, "\(set.faults)")
    }

    @Test(arguments: [
        // The flags marked `false` can still be evaluated; those marked `true` cannot.
        (#"{"if":[]}"#, "/if", false), (#"{"==":[1]}"#, "/==", false), (#"{"==":1}"#, "/==", false),
        (#"{">":[1,2,3]}"#, "/>", false), (#"{"cat":"ice"}"#, "/cat", false),
        (#"{"?:":[true,"on","off"]}"#, "/?:", false),
        (#"{"==":[{},1]}"#, "/==/0", false), (#"{"==":[{"a":1,"b":2},1]}"#, "/==/0", false),
        (#"{"a":1,"b":2}"#, "", false),
        (#"{"$ref":"staff"}"#, "", false), (#"{"var":"$flagd.bogus"}"#, "/var", false),
        (#"{"missing":[1]}"#, "/missing", false),
        (#"{"missing_some":["1",["a"]]}"#, "/missing_some", false),
        (#"{"starts_with":["a",1]}"#, "/starts_with", false),
        (#"{"ends_with":["a"]}"#, "/ends_with", false), (#"{"sem_ver":[{"var":"v"},"==","1.0.0"]}"#, "/sem_ver", false),
        (#"{"sem_ver":[{"var":"v"},"=","1.0"]}"#, "/sem_ver", false),
        (#"{"sem_ver":["v1.0.0","=",{"var":"v"}]}"#, "/sem_ver", false),
        (#"{"fractional":["key",["on",1]]}"#, "/fractional/0", false),
        (#"{"fractional":[["on",1.5]]}"#, "/fractional/0", false),
        (#"{"fractional":[["on",-1]]}"#, "/fractional/0", false),
        (#"{"fractional":[["on","1"]]}"#, "/fractional/0", false),
        (#"{"fractional":[["on",2147483648]]}"#, "/fractional/0", false),
        (#"{"fractional":[["on",1,2]]}"#, "/fractional/0", false),
        (#"{"if":[{"bogus":[1]},"on"]}"#, "/if/0/bogus", true), (#"{"if":[true,[{"log":1}]]}"#, "/if/1/0/log", true),
        (#"{"if":[{"$ref":"nobody"},"on"]}"#, "/if/0/$ref", true),
        (#"{"almanac.flag":"nothing"}"#, "/almanac.flag", true),
        (#"{"if":[{"a/b~c":1},"on"]}"#, "/if/0/a~1b~0c", true),
        (#"{"almanac.date":[1,"<","soon"]}"#, "/almanac.date/2", true),
        (#"{"almanac.date":[1,"<","2026-02-29"]}"#, "/almanac.date/2", true),
        (#"{"almanac.date":[1,"^","2026-02-28T00:00:00Z"]}"#, "/almanac.date", false),
        (#"{"almanac.date":[1,"<","2026-02-28"]}"#, "/almanac.date/2", false),
        (#"{"almanac.date":["2026-02-28T10:00:00","<",1]}"#, "/almanac.date/0", false),
        (#"{"almanac.network":[{"var":"ip"},"10.0.0.0/33"]}"#, "/almanac.network/1", true),
        (#"{"almanac.network":[{"var":"ip"},["::1","127.invalid"]]}"#, "/almanac.network/1", true),
        (#"{"almanac.network":[{"var":"ip"},{"var":"list"}]}"#, "/almanac.network/1", true),
        (#"{"almanac.version":[{"var":"v"},"^","1.0"]}"#, "/almanac.version", true),
        (#"{"almanac.version":[{"var":"v"},"<","1.0-beta"]}"#, "/almanac.version", true),
        (#"{"almanac.padded":[{"var":"v"},"~","1.0.0"]}"#, "/almanac.padded", false),
        (#"{"almanac.hashed":[{"var":"v"},1]}"#, "/almanac.hashed", false),
        (#"{"almanac.lower":["a","b"]}"#, "/almanac.lower", false),
        (#"{"almanac.matches":[{"var":"a"},"(a"]}"#, "/almanac.matches/1", true),
        (#"{"almanac.matches":[{"var":"a"},"(a)\\1"]}"#, "/almanac.matches/1", true),
        (#"{"almanac.matches":[{"var":"a"},"a{1000}{9}"]}"#, "/almanac.matches/1", true),
        (#"{"almanac.matches":[{"var":"a"},"(a{100}){100}"]}"#, "/almanac.matches/1", true),
        (#"{"almanac.matches":["a",{"var":"pattern"}]}"#, "/almanac.matches", true),
        (#"{"almanac.ramp":[[["2026-07-02",0],["2026-07-01",100]],"on"]}"#, "/almanac.ramp", true),
        (#"{"almanac.ramp":[[["2026-07-02",101]],"on"]}"#, "/almanac.ramp", true),
        (#"{"almanac.ramp":[[],"on"]}"#, "/almanac.ramp", true),
        ("[]", "", true), ("\"on\"", "", true), ("7", "", true),
    ]) func `what flagd's schema refuses is refused, with its path`(
        rule: String, path: String, preventsEvaluation: Bool
    ) throws {
        let set = try flagSet(rule, evaluators: #"{"staff":{"==":[1,1]}}"#)
        let fault = try #require(set.faults.first)
        #expect(fault.path == "/flags/flag/targeting" + path)
        #expect(fault.preventsEvaluation == preventsEvaluation)
        #expect(set.faults.count == 1 && !fault.message.isEmpty)
        let answer = try set.answer("{}")
        #expect((answer == "PARSE_ERROR ERROR") == preventsEvaluation)
    }

    @Test(arguments: [
        (#"[]"#, ""), (#"{"variants":{"on":true}}"#, "/state"), (#"{"state":"on","variants":{"on":true}}"#, "/state"),
        (#"{"state":"ENABLED"}"#, "/variants"), (#"{"state":"ENABLED","variants":{}}"#, "/variants"),
        (#"{"state":"ENABLED","variants":{"on":true,"off":0}}"#, "/variants/off"),
        (#"{"state":"ENABLED","variants":{"on":null}}"#, "/variants/on"),
        (#"{"state":"ENABLED","variants":{"on":[]}}"#, "/variants/on"),
        (#"{"state":"ENABLED","variants":{"":true}}"#, "/variants/"),
        (#"{"state":"ENABLED","variants":{"on":9007199254740993}}"#, "/variants/on"),
        (#"{"state":"ENABLED","variants":{"on":true},"defaultVariant":"off"}"#, "/defaultVariant"),
        (#"{"state":"ENABLED","variants":{"on":true},"defaultVariant":1}"#, "/defaultVariant"),
        (#"{"state":"ENABLED","variants":{"on":true},"metadata":{"owner":["me"]}}"#, "/metadata/owner"),
        (#"{"state":"ENABLED","variants":{"on":true},"metadata":[]}"#, "/metadata"),
    ]) func `a flag that isn't one is refused, with its path`(flag: String, path: String) throws {
        let set = try FlagSet(try FlagValue(json: "{\"flags\":{\"flag\":\(flag)}}"), fractional: .version3)
        #expect(set.faults.first?.path == "/flags/flag" + path)
    }

    @Test(arguments: [
        ("[]", ""), ("{}", "/flags"), (#"{"flags":[{}]}"#, "/flags/0"), (#"{"flags":{},"metadata":1}"#, "/metadata"),
    ])
    func `a set that isn't one is refused`(text: String, path: String) throws {
        let document = try FlagValue(json: text)
        let fault = #expect(throws: FlagFault.self) { try FlagSet(document, fractional: .version3) }
        #expect(fault?.path == path)
    }

    @Test func `a variant that a rule names is there`() throws {
        func faults(_ rule: String, _ variants: String = #"{"on":1,"true":2,"7":3,"off":4}"#) throws -> [String] {
            let flag = #"{"state":"ENABLED","variants":\#(variants),"targeting":\#(rule)}"#
            let set = try FlagSet(try FlagValue(json: "{\"flags\":{\"f\":\(flag)}}"), fractional: .version3)
            #expect(set.flags[0].fault == nil)
            return set.faults.map { String($0.path.dropFirst("/flags/f/targeting".count)) + " " + $0.message }
        }
        let wrong = #"the flag has no variant "onn""#
        for (rule, path) in [
            (#"{"if":[{"var":"a"},"onn"]}"#, "/if/1"),
            (#"{"if":[{"var":"a"},"on",{"if":["onn","onn"]}]}"#, "/if/2/if/1"),
            (#"{"fractional":[["on",50],["onn",50]]}"#, "/fractional/1/0"),
            (#"{"if":["onn",{"fractional":[{"var":"k"},["onn",1]]}]}"#, "/if/1/fractional/1/0"),
            (#"{"almanac.ramp":[[["2026-07-01",0],["2026-07-02",100]],"on","onn"]}"#, "/almanac.ramp/2"),
        ] {
            #expect(try faults(rule) == [path + " " + wrong], "\(rule)")
        }
        #expect(try faults(#"{"if":[{"var":"a"},true,{"var":"b"},7,{"==":["onn","onn"]},null,"off"]}"#) == [])
        #expect(try faults(#"{"if":[1,false,8]}"#).count == 2)
        let many = (0..<100).map { "\($0),\"v\($0)\"" }.joined(separator: ",")
        #expect(try faults("{\"if\":[\(many)]}").count == 10)
    }

    @Test func `one broken flag spoils no other, and switched off says so whatever its rule`() throws {
        let text = """
            {"flags":{"broken":{"state":"ENABLED","variants":{"on":true},"targeting":{"bogus":[]}},
            "off":{"state":"DISABLED","variants":{"on":true},"targeting":{"bogus":[]}},"none":7,
            "plain":{"state":"ENABLED","variants":{"on":true},"defaultVariant":"on",
            "metadata":{"owner":"me","team":"x"}},
            "open":{"state":"ENABLED","variants":{"on":true},"defaultVariant":null}},
            "metadata":{"team":"y","version":"1"}}
            """
        let set = try FlagSet(try FlagValue(json: text), fractional: .version3)
        let answers = try ["broken", "off", "none", "plain", "open", "other"].map { try set.answer("{}", key: $0) }
        #expect(
            answers == [
                "PARSE_ERROR ERROR", "none DISABLED", "PARSE_ERROR ERROR", "on STATIC", "none DEFAULT",
                "FLAG_NOT_FOUND ERROR",
            ])
        let metadata = try #require(set.index(of: "plain").map { set.flags[$0].metadata })
        #expect(FlagValue.object(metadata).json == #"{"owner":"me","team":"x","version":"1"}"#)
        #expect(set.flags.map(\.key) == ["broken", "none", "off", "open", "plain"])
    }

    @Test func `a flag that is switched off serves the variant for that, but is no met prerequisite`() throws {
        func set(_ state: String, _ off: String, _ rule: String = "{}") throws -> FlagSet {
            let text = """
                {"flags":{"flag":{"state":"\(state)","variants":{"on":true,"off":false},"defaultVariant":"on",
                "metadata":{"almanac.off":\(off)},"targeting":\(rule)},
                "dependent":{"state":"ENABLED","variants":{"none":1,"on":1,"off":0},"targeting":
                {"if":[{"!":{"almanac.flag":"flag"}},"none",{"almanac.flag":"flag"}]}}}}
                """
            return try FlagSet(try FlagValue(json: text), fractional: .version3)
        }
        let off = try set("DISABLED", #""off""#)
        #expect(off.faults.isEmpty)
        #expect(try off.answer("{}") == "off DISABLED")
        #expect(try off.answer("{}", key: "dependent") == "none TARGETING_MATCH")
        let explanation = off.explain("flag", for: EvaluationContext(), now: 0)
        #expect(
            explanation.branch == #"the flag is switched off: its state is DISABLED; so the variant is "off""#)
        let on = try set("ENABLED", #""off""#)
        #expect(try on.answer("{}") == "on STATIC")
        #expect(try on.answer("{}", key: "dependent") == "on TARGETING_MATCH")
        #expect(try set("DISABLED", #""off""#, #"{"bogus":1}"#).answer("{}") == "off DISABLED")
        for wrong in [#""gone""#, "true", "1"] {
            let set = try set("DISABLED", wrong)
            #expect(set.faults.map(\.path) == ["/flags/flag/metadata/almanac.off"])
            #expect(try set.answer("{}") == "none DISABLED")
        }
        let shared = #"{"flags":{},"metadata":{"almanac.off":"off"}}"#
        #expect(
            try FlagSet(try FlagValue(json: shared), fractional: .version3).faults.map(\.path) == [
                "/metadata/almanac.off"
            ])
    }

    @Test func `shared rules are a tree, and a circle is refused`() throws {
        let circle = try flagSet(
            #"{"if":[{"$ref":"a"},"on"]}"#, evaluators: #"{"a":{"!":[{"$ref":"b"}]},"b":{"!":[{"$ref":"a"}]}}"#)
        #expect(circle.faults.first?.message.contains("cycle") == true)
        #expect(try circle.answer("{}") == "PARSE_ERROR ERROR")
        let tree = try flagSet(
            #"{"if":[{"and":[{"$ref":"a"},{"$ref":"b"}]},"on"]}"#,
            evaluators: #"{"a":{"!":[{"$ref":"b"}]},"b":{"var":"x"}}"#)
        #expect(tree.faults.isEmpty)
        #expect(try tree.answer(#"{"x":true}"#) == "off DEFAULT")
        let unused = try flagSet("{}", evaluators: #"{"a":{"bogus":1}}"#)
        #expect(unused.faults.map(\.path) == ["/$evaluators/a/bogus"])
    }
}
