import AlmanacTargeting
import Testing

@testable import AlmanacImporting

@Suite struct GoffTests {
    private func project() throws -> (recording: Recording, project: ImportedProject) {
        let recording = try Recording(.goff, files: ["flags.json"])
        return (recording, try SourceSystem.goff.project(recording.files, environment: nil))
    }

    private func project(ofOne flag: String) throws -> ImportedProject {
        let file = SourceFile(name: "flags.json", content: try FlagValue(json: #"{"f": \#(flag)}"#))
        return try SourceSystem.goff.project([file], environment: nil)
    }

    private func reason(_ query: String) throws -> String? {
        let text = FlagValue.string(query).json
        let project = try project(
            ofOne: """
                {"variations": {"on": true, "off": false}, "defaultRule": {"variation": "off"},
                "targeting": [{"query": \(text), "variation": "on"}]}
                """)
        if case .cannot(let reason)? = project.report.first?.verdict { return reason }
        return nil
    }

    @Test func `flags and the reference answer as the client did`() throws {
        let (recording, project) = try project()
        try recording.check(project)
    }

    @Test func `10,000 callers get the same, and others at other times`() throws {
        let (recording, project) = try project()
        for (days, callers): (Int64, Int) in [(0, 10_000), (-21, 300), (60, 300)] {
            let verification = Verification(of: project, callers: callers, now: recording.now + days * 86_400)
            #expect(verification.compared == callers * project.flags.count)
            #expect(!verification.hasDifferences, "\(verification.counts) \(verification.examples.prefix(1))")
        }
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
        let object = #""company" is neither missing nor an object"#
        let spaces = "is the text of a number with spaces around it"
        let dot = "has the letter İ, which GO Feature Flag reads as i"
        #expect(
            lines == [
                "dark-mode: exact", "new-checkout: exact", "button colour: exact", "search-results: exact",
                #"banner: \#(object); "company.plan" \#(dot)"#, #"beta-group: \#(object); "nickname" \#(dot)"#,
                "versions: exact",
                #"rules-in-json: "seats" \#(spaces); "level" \#(spaces); "groups" is an array with arrays inside"#,
                #"json-comparisons: "level" \#(spaces); "groups" is an empty object; \#(object); "beta" \#(spaces)"#,
                #"json-missing: "seats" \#(spaces); "score" \#(spaces)"#,
                "progressive: a progressive rollout reaches a caller, who may get the new variation a second earlier "
                    + "or later",
                "summer-experiment: exact", "spring-experiment: exact", "staged-launch: \(object)",
                "kill-switch: exact", "split-with-gap: exact", "/thirds/defaultRule: cannot",
                "/languages/variations/default: cannot", "/two-spaces/targeting/0/query: cannot",
                "/upper-case-and/targeting/0/query: cannot", "/open-operand/targeting/0/query: cannot",
                "/json-some/targeting/0/query: cannot", "/before-version-1: cannot",
                "/changed-value/scheduledRollout/0/variations/on: cannot",
            ])
        #expect(project.flags.first { $0.source == "button colour" }?.key == "button-colour")
        #expect(project.flags.first { $0.source == "dark-mode" }?.description == "Dark colours in the app")
        #expect(project.attributes.renamed.map { $0.source } == ["company.id", "company.plan", "company.seats"])
    }

    @Test func `a flag that is off serves the caller's default, and a small flag has a small rule`() throws {
        let project = try project(
            ofOne: """
                {"variations": {"on": true, "off": false}, "defaultRule": {"variation": "off"}, "disable": true,
                "targeting": [{"query": "beta eq true", "variation": "on"}]}
                """)
        #expect(project.report.map { $0.verdict } == [.exact])
        #expect(project.flagSet.evaluate("f", for: EvaluationContext(), now: 0).value == nil)
        let rule: FlagValue = try FlagValue(json: #"{"if": [{"===": [{"var": "beta"}, true]}, "on"]}"#)
        #expect(project.flags.first?.definition["targeting"] == rule)
        #expect(project.flags.first?.definition["defaultVariant"] == "off")
    }

    @Test(arguments: [
        ("a eq 1e3", "expected a number without an exponent"), ("a eq 3000000000", "beyond the whole numbers"),
        ("a co 1", "does not apply"), ("a gt true", "does not apply"), ("a in \"x\"", "does not apply"),
        ("a eq [1,2]", "does not apply"), ("a in [1,2.5]", "one type"), ("a in [ \"x\"]", "expected a value"),
        ("a.b.c eq 1", "no path of one or two names"), ("not a eq 1", "expected a parenthesis"),
        ("in eq 1", "attribute"), ("a eq 1 and", "expected"), ("a eq 1 b", "expected \"and\""),
        ("a eq \"x", "quotation mark"), ("a eq", "expected"),
        ("a eq 1\nand b eq 1", "expected"), ("(a eq 1", "closing parenthesis"), ("$a eq 1", "expected an attribute"),
        (String(repeating: "(", count: 5000), "parentheses"), ("a eq 1 and a.b eq 2", "is an object here"),
        (#"{"==": [{"var": "a"}, {"var": "b"}]}"#, "constant"), (#"{"==": 1"#, "no valid JSON"),
        (#"{"a": 1, "b": 2}"#, "no condition"), (#"{"<": [{"var": "a"}, "5"]}"#, "compared as a number"),
        (#"{"starts_with": [{"var": "a"}, "b"]}"#, "not translated"),
        (#"{"and": [{"var": "a"}]}"#, "no condition"), (#"{"in": [5, {"var": "a"}]}"#, "needs an attribute"),
    ]) func `a query that cannot be kept is named`(query: String, part: String) throws {
        let reason = try #require(try reason(query))
        #expect(reason.contains(part), "\(reason)")
    }

    @Test func `a file of another system is named`() throws {
        for content: FlagValue in [nil, [], "text", .object(FlagObject()), 5] {
            #expect(throws: ImportFailure.self) {
                try SourceSystem.goff.project([SourceFile(name: "x", content: content)], environment: nil)
            }
        }
    }

    @Test func `no wrong value crashes the reader`() throws {
        let file = try project().recording.files[0]
        for content in Damage(file.content, count: 150) {
            let damaged = SourceFile(name: "flags.json", content: content)
            guard let project = try? SourceSystem.goff.project([damaged], environment: nil) else { continue }
            #expect(project.flagSet.faults.isEmpty)
            #expect(!Verification(of: project, callers: 2, now: 1_796_083_200).hasDifferences)
        }
    }
}
