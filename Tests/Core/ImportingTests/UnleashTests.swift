import AlmanacTargeting
import Testing

@testable import AlmanacImporting

@Suite struct UnleashTests {
    private let recording: Recording

    init() throws { recording = try Recording(.unleash, files: ["export.json", "segments.json"]) }

    private func project() throws -> ImportedProject {
        try SourceSystem.unleash.project(recording.files, environment: nil)
    }

    private func project(_ json: String...) throws -> ImportedProject {
        let files = try json.enumerated().map { place, text in
            SourceFile(name: "\(place).json", content: try FlagValue(json: text))
        }
        return try SourceSystem.unleash.project(files, environment: nil)
    }

    @Test func `the flags answer as Unleash's client does`() throws { try recording.check(try project()) }

    @Test func `the flags answer as Unleash's formula does`() throws {
        let project = try project()
        let verification = Verification(of: project, callers: 2000, now: recording.now)
        #expect(!verification.hasDifferences, "\(verification.counts) \(verification.examples.prefix(3))")
        #expect(verification.compared > 2000 * (project.flags.count - 8))
    }

    @Test func `the report names what differs and what cannot be kept`() throws {
        let report = try project().report
        #expect(report.count == 83)
        let random = "neither userId nor sessionId is known: Unleash then decides at random"
        let unit = "tenantId is missing: Unleash then chooses the variant at random"
        let letters = "email has letters or digits beyond ASCII, which \\w, \\d, \\s and \\b leave out"
        let payload = "the app expects the payload of broken to be of its type, which it is not"
        func time(_ name: String) -> String {
            "the app sends \(name) in another form than RFC 3339 with seconds and a zone, or within a millisecond of "
                + "the constraint's time"
        }
        let differing: [String: String] = [
            "checkout.v2": random, "price-test": random, "layout": random, "greeting": random, "variants-off": random,
            "tenant-theme": unit, "word-pattern": letters, "bad-payload": payload,
            "after-launch": time("currentTime"), "before-end": time("currentTime"),
            "new-customers": time("signedUpAt"), "old-customers": time("signedUpAt"),
        ]
        for line in report where line.key != nil {
            let expected = differing[line.source].map { ReportLine.Verdict.differs(when: [$0]) } ?? .exact
            #expect(line.verdict == expected, "\(line.source)")
        }
        let left = report.filter { $0.key == nil }.map { line -> String in
            guard case .cannot(let reason) = line.verdict else { return line.source }
            return "\(line.source) \(line.pointer): \(reason)"
        }
        #expect(
            left == [
                "custom-strategy /featureStrategies/69: custom strategy activeForCountry",
                "by-host /featureStrategies/70: "
                    + "strategy applicationHostname depends on the host on which a client runs",
                "random-half /featureStrategies/71: the strategy chooses callers at random",
                "random-old /featureStrategies/72: the strategy chooses callers at random",
                "random-variant /featureStrategies/73/variants/0: the variant is chosen at random",
                "in-any-case /featureStrategies/74/constraints/0/caseInsensitive: "
                    + "clients of Unleash disagree whether IN ignores case",
                "unknown-operator /featureStrategies/75/constraints/0/operator: unknown operator MATCHES_PLANET",
                "bad-number /featureStrategies/76/constraints/0/value: NUM_GT needs a number",
                "bad-pattern /featureStrategies/77/constraints/0/value: "
                    + "the pattern has syntax that Almanac does not have",
                "missing-segment /featureStrategies/78/segments/0: segment Deleted: "
                    + "its constraints are in none of the files; add the answer of /api/admin/segments",
                "all-disabled /featureStrategies/79: all strategies are disabled",
                "child-of-custom /dependencies/6/dependencies/0: "
                    + "depends on custom-strategy, which the files do not have or which cannot be kept",
                "child-of-nothing /dependencies/7/dependencies/0: "
                    + "depends on gone, which the files do not have or which cannot be kept",
                "grandchild /dependencies/8/dependencies/0: "
                    + "depends on wishlist-share, which has a dependency of its own",
                "no-rollout /featureStrategies/83: expected a whole number from 0 to 100 as rollout",
                "archived-feature /features/82: the feature is archived",
            ])
    }

    @Test func `attributes, segments, tags and variants have their places`() throws {
        let project = try project()
        #expect(
            project.attributes.renamed.map { "\($0.source): \($0.attribute)" } == [
                "device.os: device_os", "userId: targetingKey",
            ])
        #expect(project.sharedRules.map(\.name) == ["unleash-segment-3", "unleash-segment-5"])
        let flags = Dictionary(uniqueKeysWithValues: project.flags.map { ($0.key, $0) })
        let checkout = try #require(flags["checkout.v2"])
        #expect(checkout.description == "The new checkout in one page")
        #expect(
            FlagValue.object(checkout.definition)
                == (try FlagValue(
                    json: """
                        {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
                        "targeting": {"almanac.split": [{"scheme": "unleash", "groupId": "checkout.v2"},
                        {"var": ["targetingKey", {"var": "sessionId"}]}, [[0, 35, "on"], [35, 100, "off"]]]},
                        "metadata": {"tags": "checkout, team:payments", "almanac.off": "off"}}
                        """)))
        let layout = try #require(flags["layout"]?.definition["variants"]?.members)
        #expect(layout.members.map(\.name) == ["grid", "list", "grid-2", "off"])
        let off = project.flagSet.evaluate("variants-off", for: EvaluationContext(FlagObject()), now: 0)
        #expect(off.value == (try FlagValue(json: #"{"enabled": false, "variant": "disabled"}"#)))
    }

    @Test func `features of clients are read, with segments of another file`() throws {
        let features = #"""
            {"version": 2, "features": [{"name": "a b", "enabled": true, "strategies": [
              {"name": "default", "segments": [7], "constraints": [], "parameters": {}}]}]}
            """#
        let segments =
            #"{"segments": [{"id": 7, "constraints": [{"contextName": "x", "operator": "IN", "values": ["y"]}]}]}"#
        #expect(try project(features).flags.isEmpty)
        let project = try project(features, segments)
        #expect(project.flags.map(\.key) == ["a-b"])
        #expect(project.reference.answer("a b", ["x": "y"], now: 0) == .value(true))
        #expect(!Verification(of: project, callers: 50, now: 0).hasDifferences)
    }

    @Test func `one of several environments is chosen`() throws {
        func export(_ environment: String, _ userIds: String) -> String {
            #"""
            {"features": [{"name": "f"}], "tagTypes": [],
             "featureStrategies": [
               {"name": "userWithId", "featureName": "f", "parameters": {"userIds": "\#(userIds)"}}],
             "featureEnvironments": [{"featureName": "f", "environment": "\#(environment)", "enabled": true}]}
            """#
        }
        let files = [
            SourceFile(name: "a.json", content: try FlagValue(json: export("production", "1"))),
            SourceFile(name: "b.json", content: try FlagValue(json: export("staging", "2"))),
        ]
        let project = try SourceSystem.unleash.project(files, environment: "staging")
        #expect(project.flags.count == 1)
        #expect(project.reference.answer("f", ["userId": "2"], now: 0) == .value(true))
        #expect(throws: ImportFailure.self) { try SourceSystem.unleash.project(files, environment: nil) }
        #expect(throws: ImportFailure.self) { try SourceSystem.unleash.project(files, environment: "test") }
    }

    /// Syntax that Unleash's clients read in several ways, or that Almanac reads in another one.
    @Test(arguments: [
        "[[ab]c]", "[a&&b]", "[a--b]", "(?P<n>a)", "(?<n>a)", "(?x)a b", "(?i)*", "(a)\\1", "\\pL", "\\x41", "a\\<",
        "\\b{start}", "[\\d-z]", "a{,2}", "a}", "]", "\\", "[a", "(?=a)",
    ])
    func `a pattern that is read in several ways is not kept`(_ pattern: String) {
        #expect(UnleashPattern(pattern) == nil)
    }

    @Test(arguments: [
        "^a.*?b$", "(?i)^abc$", "^(?i)abc$", "(?s)a.b", "(?:a|b)+", "[[:alpha:]-]", "[^\\]a-z]", "\\$\\{x\\}", "a{2,}",
        "[]a]", "\\d{3}-\\w+", "[\\d-]",
    ])
    func `a pattern that is read in one way is kept`(_ pattern: String) { #expect(UnleashPattern(pattern) != nil) }

    @Test(arguments: [
        "[]", "{}", #"{"flags": {}}"#, #"{"segments": [{"id": 1, "constraints": []}]}"#,
        #"{"features": {"a": {"defaultValue": true}}}"#, #"{"features": [{"key": "a"}]}"#,
        #"{"version": 3, "features": [{"name": "a"}], "featureStrategies": [{"strategyName": "default"}]}"#,
    ])
    func `a file of another system or version is refused`(_ json: String) {
        #expect(throws: ImportFailure.self) { try project(json) }
    }

    @Test func `damaged files do not crash`() throws {
        for (place, file) in recording.files.enumerated() {
            var kept = 0
            for content in Damage(file.content, count: 60) {
                var files = recording.files
                files[place] = SourceFile(name: "damaged.json", content: content)
                guard let project = try? SourceSystem.unleash.project(files, environment: nil) else { continue }
                #expect(project.report.count <= 83)
                kept += project.flags.count
                _ = project.reference.answer(project.flags.first?.source ?? "", ["userId": "42"], now: 0)
            }
            #expect(kept > 0)
        }
    }
}
