public import AlmanacTargeting

/// A comparison of the translated flags with the source system's own evaluation.
public struct Verification: Sendable {
    /// The number of compared answers.
    public private(set) var compared = 0
    /// The number of differing answers by the key in the files.
    public private(set) var counts: [String: Int] = [:]
    /// The first differences of each flag.
    public private(set) var examples: [Difference] = []
    private static let maxExamples = 5

    /// A caller who gets another value.
    public struct Difference: Sendable {
        /// The key in the files.
        public let source: String
        /// The context of the caller in Almanac.
        public let context: FlagObject
        public let expected: SourceAnswer
        public let found: SourceAnswer
    }

    public var hasDifferences: Bool { !counts.isEmpty }

    /// Evaluates every flag for random callers.
    ///
    /// - Parameters:
    ///   - stored: The flags that answer instead of the translated ones.
    ///   - callers: The number of callers.
    ///   - now: The time in seconds since 1970.
    public init(
        of project: ImportedProject, answeredBy stored: FlagSet? = nil, callers: Int = 10_000, seed: UInt64 = 1,
        now: Int64
    ) {
        var sampler = CallerSampler(project.reference.probes, seed: seed)
        let set = stored ?? project.flagSet
        for _ in 0..<callers {
            let attributes = sampler.caller()
            let context = project.attributes.context(attributes)
            for flag in project.flags {
                let expected = project.reference.answer(flag.source, attributes, now: now)
                if expected == .random { continue }
                let found = set.evaluate(flag.key, for: EvaluationContext(context), now: now).value
                compare(flag.source, context, expected, found.map { .value($0) } ?? .none)
            }
        }
    }

    private mutating func compare(
        _ source: String, _ context: FlagObject, _ expected: SourceAnswer, _ found: SourceAnswer
    ) {
        compared += 1
        guard expected != found else { return }
        counts[source, default: 0] += 1
        if counts[source, default: 0] <= Self.maxExamples {
            examples.append(Difference(source: source, context: context, expected: expected, found: found))
        }
    }
}

extension ImportedProject {
    /// The flags and shared rules in flagd's format.
    public var document: FlagObject {
        let definitions = flags.map { FlagObject.Member($0.key, .object($0.recorded(origin))) }
        var members = [FlagObject.Member("flags", .object(FlagObject(definitions) ?? FlagObject()))]
        if !sharedRules.isEmpty {
            members.append(FlagObject.Member("$evaluators", .object(FlagObject(sharedRules) ?? FlagObject())))
        }
        return FlagObject(members) ?? FlagObject()
    }

    /// True if a rule splits by Almanac's own hash.
    public var usesOwnSplits: Bool {
        flags.contains { $0.references.splits } || sharedRules.contains { RuleReferences(of: $0.value).splits }
    }

    /// The translated flags, compiled. The faults of the set are faults of the translation.
    public var flagSet: FlagSet {
        FlagSet(
            FlagObject(flags.map { FlagObject.Member($0.key, .object($0.definition)) }) ?? FlagObject(),
            evaluators: FlagObject(sharedRules) ?? FlagObject(), fractional: fractional)
    }
}

extension AttributeTable {
    /// Returns the context of Almanac for attributes by their names in the files. Attributes that no rule reads are
    /// left out.
    public func context(_ attributes: [String: FlagValue]) -> FlagObject {
        var tops: [String: FlagValue] = [:]
        var parts: [String: [FlagObject.Member]] = [:]
        for (source, value) in attributes {
            guard let path = paths[source] else { continue }
            if path.count == 1 { tops[path[0]] = value }
            if path.count == 2 { parts[path[0], default: []].append(FlagObject.Member(path[1], value)) }
        }
        for (name, members) in parts { if let object = FlagObject(members) { tops[name] = .object(object) } }
        return FlagObject(tops.sorted { $0.key < $1.key }.map { FlagObject.Member($0.key, $0.value) }) ?? FlagObject()
    }
}
