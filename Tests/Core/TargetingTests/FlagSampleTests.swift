import AlmanacTargeting
import Testing

@Suite struct FlagSampleTests {
    private func ramp(_ percent: Int) throws -> FlagSet {
        try flagSet(#"{"fractional":[["on",\#(percent)],["off",\#(100 - percent)]]}"#)
    }

    @Test func `a ramp from 10 to 20 percent moves a tenth in and nobody out`() throws {
        let sample = FlagSample(
            of: "flag", in: try ramp(20), against: try ramp(10), ids: FlagSample.ids(10_000), now: 0)
        #expect(sample.sampled == 10_000)
        #expect(sample.variants.map(\.name) == ["on", "off"])
        #expect((1850...2150).contains(sample.variants[0].count))
        #expect(sample.variants.reduce(0) { $0 + $1.count } == 10_000)
        #expect(sample.moves.map { "\($0.from ?? "-") to \($0.to ?? "-")" } == ["off to on"])
        #expect((900...1100).contains(sample.moved))
    }

    @Test func `another way of splitting moves about half`() throws {
        let rule = #"{"fractional":[["on",50],["off",50]]}"#
        let sample = FlagSample(
            of: "flag", in: try flagSet(rule), against: try flagSet(rule, fractional: .version2),
            ids: FlagSample.ids(10_000), now: 0)
        #expect((4500...5500).contains(sample.moved))
        #expect(sample.moves.count == 2)
        #expect(sample.moves[0].count >= sample.moves[1].count)
    }

    @Test func `the same flags move nobody`() throws {
        let sample = FlagSample(of: "flag", in: try ramp(30), against: try ramp(30), ids: FlagSample.ids(1000), now: 0)
        #expect(sample.moved == 0)
        #expect(sample.moves.isEmpty)
    }

    @Test func `what all callers have in common counts, and their targeting keys are their own`() throws {
        let set = try flagSet(#"{"if":[{"==":[{"var":"plan"},"pro"]},"on",{"==":[{"var":"targetingKey"},"7"]},"on"]}"#)
        func on(_ context: String) throws -> Int {
            let context = try EvaluationContext(json: Array(context.utf8))
            return FlagSample(of: "flag", in: set, for: context, ids: FlagSample.ids(10), now: 0).variants[0].count
        }
        #expect(try on(#"{"plan":"pro","targetingKey":"7"}"#) == 10)
        #expect(try on(#"{"targetingKey":"x"}"#) == 1)
    }

    @Test func `a flag that is switched off, or isn't there, gives no variant`() throws {
        let off = try FlagSet(
            try FlagValue(
                json: #"{"flags":{"flag":{"state":"DISABLED","variants":{"on":true},"defaultVariant":"on"}}}"#),
            fractional: .version3)
        let sample = FlagSample(of: "flag", in: off, against: try ramp(100), ids: ["a", "b"], now: 0)
        #expect(sample.variants.map { "\($0.name ?? "none") \($0.count)" } == ["on 0", "none 2"])
        #expect(sample.moves.map { "\($0.from ?? "none") \($0.to ?? "none") \($0.count)" } == ["on none 2"])
        let new = FlagSample(of: "new", in: off, against: off, ids: ["a"], now: 0)
        #expect(new.variants.map { "\($0.name ?? "none") \($0.count)" } == ["none 1"])
    }

    @Test func `a rule that does much is sampled as far as the steps of one call go`() throws {
        let numbers = (0..<200).map(\.description).joined(separator: ",")
        let set = try flagSet(
            """
            {"if":[{"some":[[\(numbers)],{"some":[[\(numbers)],{"==":[{"var":""},"x"]}]}]},"on"]}
            """)
        let sample = FlagSample(of: "flag", in: set, ids: FlagSample.ids(10_000), now: 0)
        #expect((1..<200).contains(sample.sampled))
        #expect(sample.variants.reduce(0) { $0 + $1.count } == sample.sampled)
    }
}

extension FlagSample {
    /// Creates the only sample of a call, with the full step budget.
    fileprivate init(
        of key: String, in set: FlagSet, against other: FlagSet? = nil, for context: EvaluationContext = .init(),
        ids: some Sequence<String>, now: Int64
    ) {
        var stepsLeft = FlagSet.maxSteps
        self.init(of: key, in: set, against: other, for: context, ids: ids, now: now, stepsLeft: &stepsLeft)
    }
}
