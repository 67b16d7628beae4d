import AlmanacTargeting
import Testing

@testable import AlmanacImporting

@Suite struct FlagsmithTests {
    private static func recording() throws -> Recording { try Recording(.flagsmith, files: ["environment.json"]) }

    private static func project(_ pages: FlagValue..., environment: String? = nil) throws -> ImportedProject {
        let files = pages.enumerated().map { SourceFile(name: "page\($0.offset).json", content: $0.element) }
        return try SourceSystem.flagsmith.project(files, environment: environment)
    }

    @Test func `everybody gets what Flagsmith's client gives`() throws {
        let recording = try Self.recording()
        let project = try Self.project(recording.files[0].content)
        try recording.check(project)
        #expect(project.environment == "Production")
        #expect(project.attributes.renamed.map { $0.source } == ["$.identity.identifier"])
    }

    @Test func `ten thousand callers get what the reference gives`() throws {
        let project = try Self.project(try Self.recording().files[0].content)
        let verification = Verification(of: project, now: 0)
        #expect(!verification.hasDifferences, "\(verification.counts)")
        #expect(verification.compared == 10_000 * project.flags.count)
    }

    @Test func `the report has each feature`() throws {
        let report = try Self.project(try Self.recording().files[0].content).report
        let differing = report.compactMap { line -> String? in
            guard case .differs(let cases) = line.verdict else { return nil }
            return "\(line.source): \(cases.count)"
        }
        #expect(
            differing == [
                "dark_mode: 3", "checkout_flow: 3", "loyalty_points: 1", "tax_rules: 1", "holiday_theme: 3",
                "region_notice: 6", "shapes: 1",
            ])
        let left = report.filter { $0.verdict.name == "cannot" }
        #expect(left.map { $0.source } == ["legacy_auth", "flag_of_flag"])
        #expect(left.allSatisfy { $0.key == nil })
        #expect(
            left.map { $0.pointer } == [
                "/project/segments/16/rules/0/rules/0/conditions/1",
                "/project/segments/17/rules/0/rules/0/conditions/0",
            ])
        #expect(left[0].verdict == .cannot("unknown operator STARTS_WITH"))
        #expect(report.count == 21)
    }

    /// Returns a document with one feature, which a segment of one condition overrides.
    private static func document(
        _ condition: FlagValue, settings: [FlagObject.Member] = [], state: FlagValue? = nil
    ) throws -> FlagValue {
        func override(_ enabled: Bool, _ priority: FlagValue) -> FlagValue {
            object([
                "feature": object(["id": 7, "name": "banner"]), "enabled": .bool(enabled), "django_id": 12,
                "feature_state_value": "v", "feature_segment": priority,
            ])
        }
        let rule = object(["type": "ALL", "conditions": [condition]])
        let segment = object([
            "id": 3, "name": "Segment", "rules": [rule], "feature_states": [override(true, object(["priority": 0]))],
        ])
        let members = [
            FlagObject.Member("api_key", "key"), FlagObject.Member("name", "Test"),
            FlagObject.Member("feature_states", [state ?? Self.state]),
            FlagObject.Member("project", object(["segments": [segment]])),
        ]
        return .object(try #require(FlagObject(members + settings)))
    }

    private static let state = object([
        "feature": object(["id": 7, "name": "banner"]), "enabled": false, "django_id": 11, "feature_state_value": nil,
    ])

    private static func object(_ members: KeyValuePairs<String, FlagValue>) -> FlagValue {
        Logic.object(members.map { FlagObject.Member($0.key, $0.value) })
    }

    private static func condition(_ operation: FlagValue, _ property: FlagValue, _ value: FlagValue) -> FlagValue {
        object(["operator": operation, "property_": property, "value": value])
    }

    @Test(
        arguments: [
            ("REGEX", "email", "(?=a)b", "the pattern has syntax that Almanac's patterns do not have"),
            ("REGEX", "email", "a$b", "the pattern has syntax that Almanac's patterns do not have"),
            ("REGEX", "email", "a(?i)b", "the pattern has syntax that Almanac's patterns do not have"),
            ("MODULO", "n", "0|1", "the divisor and the remainder must be numbers, and the divisor not 0"),
            ("LESS_THAN", "n", "9007199254740993", "the number 9007199254740993 is too large to be compared exactly"),
            ("EQUAL", "n", "٣", "the constant has digits or spaces beyond ASCII"),
            ("EQUAL", "n", nil, "\"value\" must be a text"), ("IN", "n", 5, "\"value\" must be a text or an array"),
            ("IN", "n", [["a"]], "\"value\" must be a list of texts"),
            ("CONTAINS", "n", "1:semver", "Flagsmith searches a version for a part of it"),
            ("EQUAL", 3, "x", "\"property_\" must be a text"), (7, "n", "x", "\"operator\" must be a text"),
        ] as [(FlagValue, FlagValue, FlagValue, String)])
    func `what cannot be kept is left out with the reason`(
        operation: FlagValue, property: FlagValue, value: FlagValue, reason: String
    ) throws {
        let project = try Self.project(try Self.document(Self.condition(operation, property, value)))
        #expect(project.flags.isEmpty)
        #expect(project.report.map { $0.verdict } == [.cannot(reason)])
        #expect(project.report[0].pointer.hasPrefix("/project/segments/0/rules/0/conditions/0"))
    }

    @Test func `rules that are nested too deep are left out`() throws {
        var rule = Self.object(["type": "ALL"])
        for _ in 0..<40 { rule = Self.object(["type": "ANY", "rules": [rule]]) }
        let segment = Self.object([
            "id": 3, "rules": [rule], "feature_states": [Self.state],
        ])
        let project = try Self.project(
            Self.object([
                "api_key": "k", "feature_states": [Self.state], "project": Self.object(["segments": [segment]]),
            ]))
        #expect(project.report.map { $0.verdict } == [.cannot("rules are nested deeper than 20")])
    }

    @Test(arguments: [
        (FlagObject.Member("use_identity_composite_key_for_hashing", false), "the numbers of its database"),
        (FlagObject.Member("hide_disabled_flags", true), "leaves out disabled features"),
        (FlagObject.Member("use_identity_overrides_in_local_eval", false), "has a value of its own"),
        (
            FlagObject.Member(
                "identity_overrides",
                [object(["identifier": "007", "identity_features": [state]])]), "looks like a number"
        ),
    ])
    func `settings of the environment with other results are named`(setting: FlagObject.Member, part: String) throws {
        let split = Self.condition("PERCENTAGE_SPLIT", nil, "50")
        #expect(try Self.project(try Self.document(split)).report.map { $0.verdict } == [.exact])
        let report = try Self.project(try Self.document(split, settings: [setting])).report
        guard case .differs(let cases) = report[0].verdict else { Issue.record("\(report)"); return }
        #expect(cases.count == 1)
        #expect(cases[0].contains(part))
    }

    @Test func `pages of an environment are joined, and an environment is chosen`() throws {
        let rule = Self.condition("IS_SET", "email", "")
        let own = Self.object(["identifier": "u", "identity_features": [Self.state]])
        let first = try Self.document(rule)
        let second = try Self.document(rule, settings: [FlagObject.Member("identity_overrides", [own])])
        let project = try Self.project(first, second)
        #expect(project.flags.map { $0.key } == ["banner"])
        let answer = project.reference.answer(
            "banner", ["$.identity.identifier": "u", "email": "a"], now: 0)
        #expect(answer == .value(Self.object(["enabled": false, "value": nil])))
        #expect(!Verification(of: project, callers: 500, now: 0).hasDifferences)

        let other = Self.object([
            "api_key": "o", "name": "Other", "feature_states": [], "project": Self.object(["segments": []]),
        ])
        #expect(throws: ImportFailure.self) { try Self.project(first, other) }
        #expect(throws: ImportFailure.self) { try Self.project(first, other, environment: "Missing") }
        #expect(try Self.project(first, other, environment: "Test").flags.count == 1)
        #expect(try Self.project(first, other, environment: "o").flags.isEmpty)
    }

    @Test func `other files are refused`() throws {
        for content: FlagValue in [nil, [], "x", Self.object(["flags": []]), Self.object(["api_key": "k"])] {
            #expect(throws: ImportFailure.self) { try Self.project(content) }
        }
    }

    @Test func `no damaged file stops the program`() throws {
        for content in Damage(try Self.recording().files[0].content, count: 200) {
            guard let project = try? Self.project(content) else { continue }
            let verification = Verification(of: project, callers: 2, now: 0)
            #expect(!verification.hasDifferences, "\(verification.counts)")
        }
    }
}
