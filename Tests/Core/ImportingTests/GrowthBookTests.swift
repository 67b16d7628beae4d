import AlmanacTargeting
import Testing

@testable import AlmanacImporting

@Suite struct GrowthBookTests {
    private let recording: Recording

    init() throws { recording = try Recording(.growthbook, files: ["features.json"]) }

    private func project() throws -> ImportedProject {
        try SourceSystem.growthbook.project(recording.files, environment: nil)
    }

    @Test func `the flags answer as GrowthBook's client does`() throws { try recording.check(try project()) }

    @Test func `the flags answer as the formula does`() throws {
        let project = try project()
        let verification = Verification(of: project, callers: 4000, now: recording.now)
        #expect(!verification.hasDifferences, "\(verification.examples.prefix(3))")
        #expect(verification.compared == 4000 * project.flags.count)
    }

    @Test func `the report names what differs and what cannot be kept`() throws {
        let project = try project()
        // Two features have no recording.
        #expect(project.report.count == recording.flags.count + 2)
        let differing = project.report.filter { $0.verdict.name == "differs" }.map { "\($0.source): \($0.verdict)" }
        let rollout = "a client of GrowthBook leaves out the last bucket of a rollout, as version 4 for Python does"
        #expect(
            differing == [
                "rollout: differs(when: [\"\(rollout)\"])", "rollout-v2: differs(when: [\"\(rollout)\"])",
                "sticky: differs(when: [\"an app keeps sticky buckets\"])",
                #"op-regex-word: differs(when: ["a text has characters beyond ASCII "#
                    + #"where a pattern has \\d, \\w, \\s or \\b"])"#,
                "gated: differs(when: [\"\(rollout)\"])",
            ])
        let left = project.report.filter { $0.key == nil }
        #expect(
            left.map { "\($0.source) \($0.pointer)" } == [
                "list-value /features/list-value/defaultValue", "mixed /features/mixed/rules/0/force",
                "object-equality /features/object-equality/rules/0/condition/account",
                "unknown-operator /features/unknown-operator/rules/0/condition/plan/$near",
                "length /features/length/rules/0/condition/tags.length",
                "sticky-fallback /features/sticky-fallback/rules/0/fallbackAttribute",
                "sticky-blocked /features/sticky-blocked/rules/0",
                "bandit /features/bandit/rules/0/contextualVariations", "lookahead /features/lookahead",
                "hash-version-3 /features/hash-version-3/rules/0", "cycle-a /features/cycle-a",
                "cycle-b /features/cycle-b", "needs-mixed /features/needs-mixed/rules/0/parentConditions/0",
                "needs-deleted /features/needs-deleted/rules/0/parentConditions/0",
            ])
        #expect(project.attributes.renamed.map { "\($0.source): \($0.attribute)" } == ["id: targetingKey"])
    }

    @Test func `variants have the names of an experiment's variations`() throws {
        let flag = try #require(try project().flags.first { $0.key == "checkout-button" })
        #expect(
            flag.definition["variants"]?.json == #"{"blue":"blue","Green":"green","Rot":"Ünïcode rot"}"#)
    }

    @Test func `a rollout of GrowthBook's older clients includes the bucket at its end`() throws {
        let content = try FlagValue(
            json: #"{"features":{"f":{"defaultValue":1,"rules":[{"force":2,"coverage":0.5}]}}}"#)
        let project = try SourceSystem.growthbook.project(
            [SourceFile(name: "f", content: content)], environment: nil)
        let targeting = try #require(project.flags[0].definition["targeting"]?.json)
        #expect(targeting.hasPrefix(#"{"almanac.split":[{"scheme":"growthbook","seed":"f","hashVersion":1},"#))
        #expect(targeting.hasSuffix(#"[[0,501,"2"]]]}"#))
    }

    @Test(arguments: [
        "[]", "{}", #"{"features": []}"#, #"{"features": {}, "savedGroups": []}"#, #"{"encryptedFeatures": "x"}"#,
    ])
    func `a file of another system is refused`(_ json: String) throws {
        let file = SourceFile(name: "other.json", content: try FlagValue(json: json))
        #expect(throws: ImportFailure.self) { try SourceSystem.growthbook.project([file], environment: nil) }
    }

    @Test func `saved groups that refer to each other are refused in bounded time`() throws {
        let groups = (0..<200).map { number in
            let next = #"{"$savedGroup":{"id":"g\#((number + 1) % 200)"}}"#
            return #""g\#(number)":{"type":"condition","condition":{"$and":[\#(next),\#(next)]}}"#
        }
        let rule = #"{"condition":{"$savedGroup":{"id":"g0"}},"force":true}"#
        let members = groups.joined(separator: ",")
        let json = #"{"features":{"f":{"defaultValue":false,"rules":[\#(rule)]}},"savedGroups":{\#(members)}}"#
        let file = SourceFile(name: "features.json", content: try FlagValue(json: json))
        let project = try SourceSystem.growthbook.project([file], environment: nil)
        #expect(project.flags.isEmpty)
        #expect(project.reference.answer("f", ["id": "u"], now: 0) == .value(false))
    }

    @Test func `prerequisites that double with each feature are answered in bounded time`() throws {
        let features = (0..<40).map { number in
            let parent = #"{"id":"f\#(number + 1)","condition":{"value":true}}"#
            let rule = #"{"parentConditions":[\#(parent),\#(parent)],"force":true}"#
            return #""f\#(number)":{"defaultValue":false,"rules":[\#(rule)]}"#
        }
        let json = #"{"features":{\#(features.joined(separator: ",")),"f40":{"defaultValue":true}}}"#
        let file = SourceFile(name: "features.json", content: try FlagValue(json: json))
        let project = try SourceSystem.growthbook.project([file], environment: nil)
        // The others are nested too deep.
        #expect(project.flags.count == 32)
        #expect(project.reference.answer("f30", ["id": "u"], now: 0) == .value(true))
        #expect(project.reference.answer("f0", ["id": "u"], now: 0) == .none)
    }

    @Test func `no damaged file stops the program`() throws {
        for content in Damage(recording.files[0].content, count: 150) {
            let file = SourceFile(name: "features.json", content: content)
            guard let project = try? SourceSystem.growthbook.project([file], environment: nil) else { continue }
            #expect(project.flagSet.faults.isEmpty)
            #expect(!Verification(of: project, callers: 2, now: recording.now).hasDifferences)
        }
    }
}
