import AlmanacTargeting
import Testing

@Suite struct RecordedTests {
    /// Runs the cases of Tests/OpenFeature/flagd/cases.py against the recorded results of flagd's evaluator for
    /// Python. A case whose two versions of splits have different results has a member for each version.
    @Test(arguments: [("version2", FractionalVersion.version2), ("version3", .version3)])
    func `random flags come out as flagd has them`(name: String, version: FractionalVersion) throws {
        var cases = try lines(of: "flagd.jsonl").map { try FlagValue(json: $0).members }
        let header = cases.removeFirst()
        guard case .number(let now)? = header["now"], let evaluators = header["evaluators"]?.members else {
            return #expect(Bool(false))
        }
        #expect(cases.count == 1000)
        for entry in cases {
            guard case .string(let key)? = entry["key"], let flag = entry["flag"], let context = entry["context"],
                case let result = entry[name]?.members ?? entry,
                let expected = (result["corrected"] ?? result["expected"])?.members, expected["crash"] == nil,
                let definitions = FlagObject([FlagObject.Member(key, flag)])
            else {
                Issue.record("no case: \(FlagValue.object(entry).json)")
                continue
            }
            let evaluation = FlagSet(definitions, evaluators: evaluators, fractional: version)
                .evaluate(key, for: EvaluationContext(context.members), now: Int64(now.double))
            let note = Comment(rawValue: FlagValue.object(entry).json)
            #expect(.string(evaluation.reason.name) == expected["reason"], note)
            #expect(evaluation.error.map { .string($0.code) } == expected["error"], note)
            #expect(evaluation.variant.map { .string($0.name) } ?? .null == expected["variant"] ?? .null, note)
            #expect(evaluation.value ?? .null == expected["value"] ?? .null, note)
        }
    }
}

extension FlagValue {
    fileprivate var members: FlagObject { if case .object(let object) = self { object } else { FlagObject() } }
}
