import AlmanacTargeting
import Testing

@testable import AlmanacImporting

@Suite struct FliptTests {
    private func project() throws -> (recording: Recording, project: ImportedProject) {
        let recording = try Recording(.flipt, files: ["features.json"])
        return (recording, try SourceSystem.flipt.project(recording.files, environment: nil))
    }

    private func project(_ texts: String..., namespace: String? = nil) throws -> ImportedProject {
        let files = try texts.enumerated().map {
            SourceFile(name: "\($0.offset).json", content: try FlagValue(json: $0.element))
        }
        return try SourceSystem.flipt.project(files, environment: namespace)
    }

    @Test func `flags and the reference answer as the client did`() throws {
        let (recording, project) = try project()
        try recording.check(project)
    }

    @Test func `10,000 callers get the same`() throws {
        let (recording, project) = try project()
        let verification = Verification(of: project, now: recording.now)
        #expect(verification.compared == 10_000 * project.flags.count)
        #expect(!verification.hasDifferences, "\(verification.counts) \(verification.examples.prefix(1))")
    }

    @Test func `the report says which flags are exact, differ, or are left out`() throws {
        let project = try project().project
        let lines = project.report.map { line -> String in
            switch line.verdict {
            case .exact: "\(line.source): exact"
            case .differs(let when): "\(line.source): \(when.joined(separator: "; "))"
            case .cannot: "\(line.pointer): cannot"
            }
        }
        let (server, time) = (
            "an app asks Flipt's server, which rounds these shares otherwise than Flipt's clients",
            "is a time with a space in place of the T"
        )
        #expect(
            lines == [
                "new-ui: exact", "maintenance: exact", "slow search: exact", #"colour: "joined" \#(time)"#,
                #"checkout: "joined" \#(time); \#(server)"#, "price-test: \(server)", "numbers: exact",
                #"times: "joined" \#(time); "left" \#(time)"#, "switched-off: exact",
                "switched-off-without-default: exact", "half-percent: \(server)", "/flags/11/rules/0: cannot",
                "/flags/12/variants/0: cannot", "/flags/13/rules/0/segment: cannot",
                "/segments/16/constraints/0: cannot",
            ])
        #expect(project.flags.first { $0.source == "slow search" }?.key == "slow-search")
        #expect(project.sharedRules.contains { $0.name == "many-seats" })
        #expect(!project.sharedRules.contains { $0.name == "everyone" || $0.name == "fraction" })
        #expect(project.attributes.renamed.map { $0.attribute } == ["targetingKey"])
        #expect(project.environment == "default")
    }

    @Test func `numbers and booleans in a context count as their texts`() throws {
        let set = try project().project.flagSet
        func value(_ flag: String, _ json: String) throws -> FlagValue? {
            set.evaluate(flag, for: try EvaluationContext(json: Array(json.utf8)), now: 0).value
        }
        #expect(try value("numbers", #"{"seats": 2}"#) == "small")
        #expect(try value("numbers", #"{"seats": 2.5}"#) == nil)
        #expect(try value("price-test", #"{"plan": "pro", "country": 5}"#) != nil)
        #expect(try value("colour", #"{"targetingKey": "user-1", "beta": true, "country": "x"}"#) == "blue")
    }

    @Test func `several documents need the name of a namespace`() throws {
        let (first, second) = (
            #"{"namespace": "default", "flags": [{"key": "a", "type": "BOOLEAN_FLAG_TYPE", "enabled": true}]}"#,
            #"{"namespace": {"key": "shop"}, "flags": [{"key": "b", "type": "BOOLEAN_FLAG_TYPE", "enabled": true}]}"#
        )
        #expect(try project("[\(first), \(second)]", namespace: "shop").flags.map { $0.key } == ["b"])
        #expect(try project(first, second, namespace: "default").flags.map { $0.key } == ["a"])
        #expect(throws: ImportFailure.self) { try project(first, second) }
        #expect(throws: ImportFailure.self) { try project(first, namespace: "shop") }
        let twice = try project(first, first)
        #expect(twice.flags.isEmpty)
        #expect(twice.report.count == 2)
    }

    @Test(arguments: [
        #"{"type": "STRING_COMPARISON_TYPE", "property": "a", "operator": "matches", "value": "x"}"#,
        #"{"type": "STRING_COMPARISON_TYPE", "property": "a", "operator": "isoneof", "value": "x, y"}"#,
        #"{"type": "STRING_COMPARISON_TYPE", "property": "a", "operator": "isoneof", "value": "[\"a\\\"b\"]"}"#,
        #"{"type": "STRING_COMPARISON_TYPE", "property": "", "operator": "eq", "value": "x"}"#,
        #"{"type": "NUMBER_COMPARISON_TYPE", "property": "a", "operator": "gt", "value": "2.5"}"#,
        #"{"type": "NUMBER_COMPARISON_TYPE", "property": "a", "operator": "isoneof", "value": "[1, 2.5]"}"#,
        #"{"type": "DATETIME_COMPARISON_TYPE", "property": "a", "operator": "lt", "value": "2026-01-01"}"#,
        #"{"type": "SEMVER_COMPARISON_TYPE", "property": "a", "operator": "lt", "value": "1.0.0"}"#, "5",
    ]) func `a constraint that cannot be kept leaves its flags out`(constraint: String) throws {
        let project = try project(
            """
            {"flags": [{"key": "f", "type": "BOOLEAN_FLAG_TYPE", "enabled": true,
            "rollouts": [{"segment": {"key": "s", "value": true}}]}],
            "segments": [{"key": "s", "match_type": "ALL_MATCH_TYPE", "constraints": [\(constraint)]}]}
            """)
        #expect(project.flags.isEmpty)
        #expect(project.report.map { $0.pointer } == ["/segments/0/constraints/0"])
    }

    @Test func `shares that single precision reads as 0 count as none`() throws {
        let project = try project(
            """
            {"flags": [{"key": "f", "enabled": true, "variants": [{"key": "a"}, {"key": "b", "default": true}],
            "rules": [{"segment": "s", "distributions": [{"variant": "a", "rollout": 1e-50},
            {"variant": "b", "rollout": 1e-50}]}]}], "segments": [{"key": "s", "match_type": "ALL_MATCH_TYPE"}]}
            """)
        #expect(project.flagSet.evaluate("f", for: EvaluationContext(), now: 0).value == "b")
        #expect(project.reference.answer("f", [:], now: 0) == .value("b"))
    }

    @Test(arguments: ["[]", "{}", "5", #"{"flags": {}}"#, #"{"version": "2.0", "flags": []}"#, "null"])
    func `a file of another system or version is named`(text: String) {
        #expect(throws: ImportFailure.self) { try project(text) }
    }

    @Test func `no wrong value crashes the reader`() throws {
        for content in Damage(try project().recording.files[0].content, count: 150) {
            let file = SourceFile(name: "features.json", content: content)
            guard let project = try? SourceSystem.flipt.project([file], environment: nil) else { continue }
            #expect(project.flagSet.faults.isEmpty)
            #expect(!Verification(of: project, callers: 2, now: 1_796_083_200).hasDifferences)
        }
    }
}
