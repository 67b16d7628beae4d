import AlmanacTargeting
import Testing

@testable import AlmanacImporting

@Suite struct ConfigCatTests {
    private let recording: Recording

    init() throws { recording = try Recording(.configcat, files: ["config_v6.json"]) }

    private func project() throws -> ImportedProject {
        try SourceSystem.configcat.project(recording.files, environment: nil)
    }

    @Test func `the flags answer as ConfigCat's client does`() throws { try recording.check(try project()) }

    @Test func `the flags answer as the formula does`() throws {
        let project = try project()
        let verification = Verification(of: project, callers: 5000, now: recording.now)
        #expect(!verification.hasDifferences, "\(verification.examples.prefix(3))")
        #expect(verification.compared == 5000 * project.flags.count)
    }

    @Test func `the report names what differs and what cannot be kept`() throws {
        let project = try project()
        let lines = Dictionary(uniqueKeysWithValues: project.report.map { ($0.source, $0) })
        #expect(lines.count == recording.flags.count)
        let seats = ReportLine.Verdict.differs(when: ["Seats is a text with a decimal comma"])
        let version = ReportLine.Verdict.differs(when: ["AppVersion is a version with spaces around it"])
        let roles = ReportLine.Verdict.differs(when: ["Roles is a text with an array in JSON"])
        for (prefix, verdict) in [
            ("searchPageSize", seats), ("opEqualsNumber", seats), ("euBanner", seats), ("opLessSemver", version),
            ("notDesktop", version), ("opArrayContainsAnyOf", roles), ("hiddenArrayNotContains", roles),
            ("members", roles), ("newCheckout", .exact), ("heroImage", .exact), ("hiddenStartsWith", .exact),
            ("numbersAsTexts", .exact), ("checkoutExpressTips", .exact), ("großer Rabatt", .exact),
        ] {
            #expect(lines[prefix]?.verdict == verdict, "\(prefix)")
        }
        let left = project.report.filter { $0.key == nil }
        #expect(
            left.map { "\($0.source) \($0.pointer)" } == [
                "futureComparator /f/futureComparator/r/0/c/0/u/c", "needsFuture /f/needsFuture", "loopA /f/loopA",
                "loopB /f/loopB", "missingPrerequisite /f/missingPrerequisite/r/0/c/0/p/f",
                "wrongType /f/wrongType/r/0/s/v", "badVersion /f/badVersion/r/0/c/0/u",
                "halfOptions /f/halfOptions/r/0/p", "jsonSetting /f/jsonSetting/t",
            ])
        #expect(lines["großer Rabatt"]?.key == "gro-er-Rabatt")
        #expect(project.attributes.renamed.map { $0.source } == ["Identifier"])
    }

    @Test(arguments: [
        "[]", "{}", #"{"f": []}"#, #"{"flags": {}}"#, #"{"f": {}, "s": {}}"#, #"{"f": {}, "p": []}"#,
    ])
    func `a file of another system is refused`(_ json: String) throws {
        let file = SourceFile(name: "other.json", content: try FlagValue(json: json))
        #expect(throws: ImportFailure.self) { try SourceSystem.configcat.project([file], environment: nil) }
        #expect(throws: ImportFailure.self) {
            try SourceSystem.configcat.project(recording.files + recording.files, environment: nil)
        }
    }

    @Test func `prerequisites that double with each setting are answered in bounded time`() throws {
        let settings = (0..<40).map { number in
            let condition = #"{"p":{"f":"f\#(number + 1)","c":0,"v":{"b":true}}}"#
            let rule = #"{"c":[\#(condition),\#(condition)],"s":{"v":{"b":true}}}"#
            return #""f\#(number)":{"t":0,"v":{"b":false},"r":[\#(rule)]}"#
        }
        let json = #"{"f":{\#(settings.joined(separator: ",")),"f40":{"t":0,"v":{"b":true}}}}"#
        let file = SourceFile(name: "config_v6.json", content: try FlagValue(json: json))
        let project = try SourceSystem.configcat.project([file], environment: nil)
        // The others are nested too deep.
        #expect(project.flags.count == 32)
        #expect(project.reference.answer("f30", ["Identifier": "u"], now: 0) == .value(true))
        #expect(project.reference.answer("f0", ["Identifier": "u"], now: 0) == .none)
    }

    @Test func `no damaged file stops the program`() throws {
        for content in Damage(recording.files[0].content, count: 150) {
            let file = SourceFile(name: "config_v6.json", content: content)
            guard let project = try? SourceSystem.configcat.project([file], environment: nil) else { continue }
            #expect(project.flagSet.faults.isEmpty)
            #expect(!Verification(of: project, callers: 2, now: recording.now).hasDifferences)
        }
    }
}
