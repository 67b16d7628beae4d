import AlmanacTargeting
import Testing

@testable import AlmanacImporting

@Suite struct FirebaseTests {
    private static func recording() throws -> Recording {
        try Recording(.firebase, files: ["template.json", "server-template.json"])
    }

    private static func project(_ files: [FlagValue]) throws(ImportFailure) -> ImportedProject {
        let files = files.enumerated().map { SourceFile(name: "file-\($0.offset).json", content: $0.element) }
        return try SourceSystem.firebase.project(files, environment: nil)
    }

    /// Returns the verdict on a parameter whose only condition has an expression.
    private static func verdict(_ expression: String) throws -> ReportLine.Verdict? {
        let condition = FlagObject([
            FlagObject.Member("name", "c"), FlagObject.Member("expression", .string(expression)),
        ])
        let parameters = #"{"p": {"defaultValue": {"value": "a"}, "conditionalValues": {"c": {"value": "b"}}}}"#
        let template = FlagObject([
            FlagObject.Member("conditions", [.object(try #require(condition))]),
            FlagObject.Member("parameters", try FlagValue(json: parameters)),
        ])
        return try Self.project([.object(try #require(template))]).report.first?.verdict
    }

    @Test func `flags answer as Firebase's library and documentation do`() throws {
        let recording = try Self.recording()
        try recording.check(try Self.project(recording.files.map(\.content)))
    }

    @Test func `no random caller gets another value`() throws {
        let recording = try Self.recording()
        let project = try Self.project(recording.files.map(\.content))
        let verification = Verification(of: project, callers: 1_500, now: recording.now)
        #expect(verification.examples.isEmpty, "\(verification.examples.prefix(3))")
        #expect(verification.compared == 1_500 * 52)
    }

    @Test func `the report names what differs and what cannot be kept`() throws {
        let project = try Self.project(try Self.recording().files.map(\.content))
        let notExact = project.report.filter { $0.verdict != .exact }.map { line in
            switch line.verdict {
            case .exact: ""
            case .differs(let cases): "\(line.source): \(cases.map { $0.prefix(22) }.joined(separator: "; "))"
            case .cannot(let reason): "\(line.source) \(line.pointer): \(reason)"
            }
        }
        #expect(
            notExact == [
                "welcome_text: Firebase finds another; a condition names a la", "new_layout: Firebase's service pla",
                "layout_columns: Firebase's service pla",
                "only_in_app /parameters/only_in_app: the parameter has no value here: the apps use their own",
                "buyers_offer /conditions/29/expression: the condition is about audiences of Google Analytics",
                "browser_hint /conditions/30/expression: the condition is about the version of a browser",
                "lookahead /conditions/31/expression: the regular expression \"(?=plus)\" uses syntax that Almanac "
                    + "does not have",
                "backslash /conditions/32/expression: a text has a backslash, which Firebase does not document",
                "either /conditions/33/expression: the condition has unexpected syntax at character 20",
                "zone /conditions/34/expression: the time zone Mars/Phobos is unknown",
                "skipped /conditions/35/expression: 2025-03-30T02:30:00 is no single time in Europe/Berlin",
                "foldable /conditions/36/expression: the condition has an unknown element device.foldable",
                "half /conditions/37/expression: a percentage is compared by <",
                "gone /parameters/gone: the condition Deleted is not in the template",
                "personal /parameters/personal/defaultValue: the value is a personalization, which Firebase computes",
                "rolled /parameters/rolled/conditionalValues/Nordic: the value is a rollout, which Firebase computes",
                "lists /parameters/lists: a value of the parameter is a JSON array",
                "types /parameters/types: its translation has a fault at /variants/value-2: the variants of a flag "
                    + "must all be booleans, texts, numbers or objects",
                "not_boolean /parameters/not_boolean/defaultValue: \"yes\" is not a boolean",
                "server_odd /conditions/30/condition/orCondition/conditions/0/andCondition/conditions/0: the kind of "
                    + "the condition is unknown",
            ])
        #expect(
            project.entries.map { "\($0.name) \($0.value.json)" } == [
                #"support_mail "help@nordlicht.example""#, "retry_seconds 30", #"menu ["home","cart"]"#,
                #"currency "EUR""#,
            ])
        #expect(project.flags.first?.description == "Greeting on the first screen")
        let renamed = project.attributes.renamed.map { "\($0.source) \($0.attribute)" }
        #expect(renamed.contains("customSignal.device customSignal_device"))
        #expect(renamed.contains("firebaseInstallationId targetingKey"))
        #expect(renamed.contains("app.firstOpenTimestamp app.firstOpenTimestamp"))
    }

    @Test(arguments: [
        ("true", nil), ("device.os=='ios'  &&  app.id != \"1:2\"", nil), ("percent('s') between 0.5 and 1", ""),
        ("app.customSignal['a.b'] > -1.5", nil), ("firebaseInstallationId in ['a','b']", nil),
        ("device.dateTime > dateTime('2025-06-01T00:00:00Z')", nil),
        ("", "unexpected syntax at character 1"), ("true &&", "unexpected syntax at character 8"),
        ("device.os == 'ios", "has no end"), ("percent <= 101", "from 0 to 100"),
        ("percent <= 9300000000000000000000", "from 0 to 100"), ("percent > ", "from 0 to 100"),
        ("percent <= 0.1234567", "too many digits"),
        ("percent between 1 or 2", "unexpected syntax"), ("app.version.>=(['1', '2'])", "several versions"),
        ("app.version.>=(['1.0-beta'])", "not a version"), ("app.version.soundsLike(['1'])", "soundsLike is unknown"),
        ("app.customSignal['a'] == 'text'", "unexpected syntax"), ("app.customSignal[''] == 1", "unexpected syntax"),
        ("app.userProperty['a'].==(['1'])", "unexpected syntax"), ("device.os <= 'ios'", "compared by <="),
        ("dateTime == dateTime('2025-06-01T00:00:00')", "for equality"),
        ("dateTime < dateTime('2025-06-01')", "not a time"),
        ("dateTime < dateTime('2011-06-01T00:00:00', 'Asia/Tokyo')", "no single time"),
        ("app.audiences.inAll(['a'])", "audiences"), ("!(true)", "unexpected syntax at character 1"),
    ])
    func `an expression is read strictly`(_ expression: String, _ reason: String?) throws {
        let verdict = try Self.verdict(expression)
        switch verdict {
        case .exact?: #expect(reason == nil)
        case .differs?: #expect(reason == "")
        case .cannot(let found)?: #expect(reason.map { !$0.isEmpty && found.contains($0) } == true, "\(found)")
        case nil: Issue.record("there is no report")
        }
    }

    /// The offsets of the time zone database (IANA, 2025b).
    @Test(arguments: [
        ("Europe/Berlin", (2025, 3, 30, 119), 60), ("Europe/Berlin", (2025, 3, 30, 150), nil),
        ("Europe/Berlin", (2025, 3, 30, 180), 120), ("Europe/Berlin", (2025, 10, 26, 150), nil),
        ("Europe/London", (2026, 7, 1, 0), 60), ("Europe/Athens", (2025, 3, 30, 240), 180),
        ("America/New_York", (2025, 3, 9, 119), -300), ("America/New_York", (2025, 3, 9, 180), -240),
        ("America/Los_Angeles", (2025, 11, 2, 59), -420), ("America/Los_Angeles", (2025, 11, 2, 120), -480),
        ("Australia/Sydney", (2025, 4, 6, 119), 660), ("Australia/Sydney", (2025, 4, 6, 180), 600),
        ("Australia/Adelaide", (2025, 12, 24, 0), 630), ("Pacific/Auckland", (2025, 9, 28, 180), 780),
        ("Asia/Kolkata", (2025, 1, 1, 0), 330), ("America/Sao_Paulo", (2019, 1, 1, 0), nil),
    ])
    func `a time zone has its offset`(_ name: String, _ time: (Int, Int, Int, Int), _ offset: Int?) throws {
        let zone = try #require(FirebaseZone(name))
        #expect(zone.offset(year: time.0, month: time.1, day: time.2, minute: time.3) == offset)
    }

    @Test(arguments: [
        ("{}", "expected a template"), (#"{"parameters": []}"#, "expected a template"),
        (#"{"parameters": {}, "conditions": [{"expression": "true"}]}"#, "expected a template"),
        (#"{"items": [{"key": "f", "variations": []}]}"#, "LaunchDarkly"),
    ])
    func `a file that is no template is refused`(_ json: String, _ message: String) throws {
        let failure = try #require(throws: ImportFailure.self) { try Self.project([try FlagValue(json: json)]) }
        #expect(failure.description.contains(message), "\(failure)")
    }

    @Test func `two templates with one parameter are refused`() throws {
        let template = try Self.recording().files[0].content
        let failure = try #require(throws: ImportFailure.self) { try Self.project([template, template]) }
        #expect(failure.description.contains("the parameter welcome_text is in the files twice"), "\(failure)")
    }

    @Test func `a long list of texts is compared without white space around them`() throws {
        let list = (0..<1_000).map { "'00000000-0000-4000-8000-0000000\($0 + 10_000)'" }.joined(separator: ", ")
        guard case .differs(let cases)? = try Self.verdict("app.customSignal['id'].exactlyMatches([\(list)])") else {
            Issue.record("expected a difference")
            return
        }
        #expect(cases == ["a text that is compared with 1000 texts has white space around it"])
    }

    @Test func `a damaged template is refused, or its flags agree with the reference`() throws {
        let files = try Self.recording().files.map(\.content)
        for place in files.indices {
            for damaged in Damage(files[place], count: 60) {
                var copies = files
                copies[place] = damaged
                guard let project = try? Self.project(copies) else { continue }
                let verification = Verification(of: project, callers: 3, now: 1_764_500_000)
                #expect(verification.examples.isEmpty, "\(verification.examples.prefix(1))")
            }
        }
    }
}
