import AlmanacTargeting
import Testing

@testable import AlmanacImporting

@Suite struct LaunchDarklyTests {
    private static func recording() throws -> Recording {
        try Recording(.launchdarkly, files: ["flags.json", "segments.json"])
    }

    private static func project(
        _ files: [FlagValue], _ environment: String? = "production"
    ) throws(ImportFailure) -> ImportedProject {
        let files = files.enumerated().map { SourceFile(name: "file-\($0.offset).json", content: $0.element) }
        return try SourceSystem.launchdarkly.project(files, environment: environment)
    }

    /// Returns a file with one flag, from the parts of its settings.
    private static func flag(
        _ settings: String, variations: String = #"[{"value": "a"}, {"value": "b"}, {"value": "c"}]"#
    ) throws -> FlagValue {
        try FlagValue(
            json: """
                {"items": [{"key": "flag", "variations": \(variations), "environments": {"production": {
                "on": true, "salt": "salt", "offVariation": 0, "fallthrough": {"variation": 2}, \(settings)}}}]}
                """)
    }

    private static func variant(_ project: ImportedProject, _ attributes: [String: FlagValue]) -> FlagValue? {
        let context = EvaluationContext(project.attributes.context(attributes))
        return project.flagSet.evaluate("flag", for: context, now: 0).value
    }

    @Test func `flags answer as LaunchDarkly's client did`() throws {
        let recording = try Self.recording()
        try recording.check(try Self.project(recording.files.map(\.content)))
    }

    @Test func `no random caller gets another value`() throws {
        let recording = try Self.recording()
        let project = try Self.project(recording.files.map(\.content))
        let verification = Verification(of: project, callers: 1_500, now: recording.now)
        #expect(verification.examples.isEmpty, "\(verification.examples.prefix(3))")
        #expect(verification.compared == 1_500 * 33)
    }

    @Test func `the report names what differs and what cannot be kept`() throws {
        let project = try Self.project(try Self.recording().files.map(\.content), nil)
        #expect(project.environment == "production")
        let notExact = project.report.filter { $0.verdict != .exact }.map { line in
            switch line.verdict {
            case .exact: ""
            case .differs(let cases): "\(line.source) \(line.pointer): \(cases.map { $0.prefix(20) })"
            case .cannot(let reason): "\(line.source) \(line.pointer): \(reason)"
            }
        }
        let settings = { (index: Int) in "/items/\(index)/environments/production" }
        #expect(
            notExact == [
                #"coupons /items/16: ["a regular expression"]"#, #"coupons-digits /items/17: ["a regular expression"]"#,
                #"both-targets /items/30: ["several contexts of "]"#,
                "cart-storage /items/32: a migration flag is not a flag with variants",
                "menu /items/33/variations/0/value: the value of a variation is an array",
                "anything /items/34/variations/1/value: the values of the variations have different types",
                "nothing /items/35/variations/0: the value of a variation is null",
                "lookahead \(settings(36))/rules/0/clauses/0/values/0: the regular expression \"^(?=NORD).*7$\" uses "
                    + "syntax that Almanac does not have",
                "big-list /items/5: the segment newsletter is a big segment",
                "after-menu /items/33/variations/0/value: the value of a variation is an array",
                "unknown-segment \(settings(39))/rules/0/clauses/0/values/0: the segment deleted-segment is not in the "
                    + "files",
                "unknown-flag \(settings(40))/prerequisites/0: the prerequisite deleted-flag is not in the files",
                "future-operator \(settings(41))/rules/0/clauses/0: the operator soundsLike is unknown",
                "hen /items/42: its translation has a fault at /targeting: flags depend on each other in a cycle: egg, "
                    + "hen",
                "egg /items/43: its translation has a fault at /targeting: flags depend on each other in a cycle: egg, "
                    + "hen",
                "round-segments /items/7/rules/0/clauses/0/values/0: the segment circle-a refers to itself",
                "broken-index \(settings(45))/fallthrough/variation: the flag has no variation 5",
                #"bad-reference \#(settings(46))/rules/0/clauses/0: "/address//city" is not an attribute"#,
                #"list-element \#(settings(47))/rules/0/clauses/0: "/groups/0" is an element of an array, which only "#
                    + "some clients read",
                "kinds-by-pattern \(settings(48))/rules/0/clauses/0: the kinds of contexts are compared by startsWith",
            ])
        #expect(project.report.first { $0.source == "2025-sale" }?.key == "_2025-sale")
        #expect(
            project.attributes.renamed.map { "\($0.source) \($0.attribute)" } == [
                "/address/city address.city", "/address/zip address.zip", "/~1raw _raw", "app.build app_build",
                "company:key company.key", "company:size company.size", "device:/battery/level device.battery_level",
                "device:anonymous device.anonymous", "device:key device.key", "device:os device.os",
                "key targetingKey", "odd/name odd_name",
            ])
        let metadata = project.flags.first { $0.source == "new-checkout" }?.definition["metadata"]
        #expect(
            metadata?.json
                == #"{"almanac.off":"Unavailable","owner":"mira.aalto@nordlicht.example","tags":"checkout,web"}"#)
    }

    @Test func `a caller without a unit is in the first part that has a weight`() throws {
        let parts = #""variations": [{"variation": 0, "weight": 0}, {"variation": 1, "weight": 60000}]"#
        let rollout = #"{\#(parts), "contextKind": "device", "bucketBy": "os"}"#
        let file = try Self.flag(#""rules": [{"clauses": [], "rollout": \#(rollout)}]"#)
        let project = try Self.project([file])
        #expect(project.report.map(\.verdict) == [.exact])
        for caller: [String: FlagValue] in [[:], ["key": "x"], ["device:key": "d"], ["device:os": 2.5]] {
            #expect(Self.variant(project, caller) == "b")
        }
    }

    @Test func `a rollout divides by the digits of whole numbers, and by the key if it names no attribute`() throws {
        let parts = (0..<3).map { #"{"variation": \#($0), "weight": 33333}"# }.joined(separator: ", ")
        for attribute in ["", "account"] {
            let rollout = #"{"variations": [\#(parts)], "bucketBy": "\#(attribute)", "contextKind": "user"}"#
            let project = try Self.project([try Self.flag(#""rules": [{"clauses": [], "rollout": \#(rollout)}]"#)])
            for unit in ["7", "33333", "2.0", "18446744073709551615", "1e20", "2.5", #""x""#, #""""#, "[1]"] {
                let caller = ["account": try FlagValue(json: unit), "key": .string("caller-\(unit)")]
                let expected = project.reference.answer("flag", caller, now: 0)
                #expect(Self.variant(project, caller).map { .value($0) } == expected, "\(unit)")
            }
        }
    }

    @Test func `attributes that would share a place in a context get other places`() throws {
        let clauses = [
            #"{"attribute": "device", "op": "in", "values": ["phone"]}"#,
            #"{"contextKind": "device", "attribute": "os", "op": "in", "values": ["iOS"]}"#,
            #"{"attribute": "targetingKey", "op": "in", "values": ["t"]}"#,
            #"{"contextKind": "user", "attribute": "/list/length", "op": "in", "values": [2]}"#,
            #"{"attribute": "home", "op": "in", "values": ["h"]}"#,
            #"{"contextKind": "user", "attribute": "/home/city", "op": "in", "values": ["Oslo"]}"#,
            #"{"attribute": "$flagd.timestamp", "op": "in", "values": ["f"]}"#,
            #"{"attribute": "x:y", "op": "in", "values": ["c"]}"#,
        ]
        let file = try Self.flag(#""rules": [{"variation": 1, "clauses": [\#(clauses.joined(separator: ", "))]}]"#)
        let project = try Self.project([file])
        var caller: [String: FlagValue] = [
            "device": "phone", "device:os": "iOS", "targetingKey": "t", "/list/length": 2, "home": "h",
            "/home/city": "Oslo", "$flagd.timestamp": "f", "user:x:y": "c",
        ]
        #expect(project.attributes.renamed.count == 8)
        #expect(Self.variant(project, caller) == "b")
        #expect(project.reference.answer("flag", caller, now: 0) == .value("b"))
        caller["/list/length"] = nil
        #expect(Self.variant(project, caller) == "c")
    }

    @Test(arguments: [
        (#"{"parameters": {}}"#, "expected flags (GET /api/v2/flags"), ("[]", "expected flags (GET"),
        (
            #"{"items": [{"key": "s", "rules": []}]}"#,
            "expected flags (GET /api/v2/flags/{project}?summary=0&env=…) too"
        ),
        (
            #"{"items": [{"key": "f", "variations": [], "environments": {"test": {}, "live": {}}}]}"#,
            "there is no environment production; the files have live, test"
        ),
        (
            #"{"items": [{"key": "f", "variations": [], "environments": {"production": {}}}], "totalCount": 120}"#,
            "expected all 120 flags, found 1; fetch the other pages with &offset=1"
        ),
        (
            #"{"items": [{"key": "f", "variations": [], "environments": {"production": {"_summary": {}}}}]}"#,
            "f has no rules; expected the answer to a request with summary=0 at /items/0/environments/production"
        ),
    ])
    func `a file that lacks something is refused`(_ json: String, _ message: String) throws {
        let failure = try #require(throws: ImportFailure.self) { try Self.project([try FlagValue(json: json)]) }
        #expect(failure.description.contains(message), "\(failure)")
    }

    @Test func `segments of another environment are refused`() throws {
        let segment = try FlagValue(
            json: #"{"items": [{"key": "s", "rules": [], "_links": {"self": {"href": "/api/v2/segments/p/test/s"}}}]}"#)
        let file = try Self.flag(#""rules": []"#)
        let failure = try #require(throws: ImportFailure.self) { try Self.project([file, segment]) }
        #expect(
            failure.description.contains("the segment s is of the environment test; expected segments of production"))
        let other = try Self.flag(#""rules": [], "version": 2"#)
        let repeated = try #require(throws: ImportFailure.self) { try Self.project([file, other]) }
        #expect(repeated.description.contains("flag is in the files twice, with different contents at /items/0"))
    }

    @Test func `a damaged file is refused, or its flags agree with the reference`() throws {
        let files = try Self.recording().files.map(\.content)
        for place in files.indices {
            for damaged in Damage(files[place], count: place == 0 ? 120 : 40) {
                var copies = files
                copies[place] = damaged
                guard let project = try? Self.project(copies) else { continue }
                let verification = Verification(of: project, callers: 3, now: 1_764_500_000)
                #expect(verification.examples.isEmpty, "\(verification.examples.prefix(1))")
            }
        }
    }
}
