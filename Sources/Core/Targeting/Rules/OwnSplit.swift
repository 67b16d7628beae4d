// Changes of rules from the splits of other systems to Almanac's own.
extension FlagValue {
    /// The rule with the same shares by Almanac's own hash, which flagd has too. Many users get another result. A rule
    /// without a split of another system stays the same.
    public var withOwnSplits: FlagValue {
        switch self {
        case .array(let elements): return .array(FlagArray(elements.map { $0.withOwnSplits }))
        case .object(let object):
            let members = object.members.map { FlagObject.Member($0.name, $0.value.withOwnSplits) }
            guard members.count == 1, case .array(let arguments) = members[0].value else {
                return .object(FlagObject(members) ?? object)
            }
            let own =
                switch Operator.named(members[0].name)?.operation {
                case .schemeSplit: FlagValue.ownSplit(arguments)
                case .ramp: FlagValue.ownRamp(arguments)
                default: nil as FlagValue?
                }
            return own ?? .object(FlagObject(members) ?? object)
        default: return self
        }
    }

    /// Returns a split with the width of each range as its weight, and the flag's default for buckets without a range.
    private static func ownSplit(_ arguments: FlagArray) -> FlagValue? {
        guard arguments.count == 3, case .object(let parameters) = arguments[0],
            let scheme = try? SplitScheme(parameters), case .array(let ranges) = arguments[2]
        else { return nil }
        var split = SchemeSplit(scheme: scheme, name: "", parameterBytes: 0)
        var results: [FlagValue] = []
        for range in ranges {
            guard case .array(let parts) = range, parts.count == 3, case .number(let from) = parts[0],
                case .number(let to) = parts[1]
            else { return nil }
            split.ranges.append((Int64(from.double), Int64(to.double)))
            results.append(parts[2])
        }
        let end = scheme.bound(for: Ramp.total)
        let bounds = split.ranges.flatMap { [$0.from, $0.to] }.filter { (1..<end).contains($0) }
        var buckets: [(range: Int?, width: Int64)] = []
        var start: Int64 = 0
        for bound in Set(bounds).sorted() + [end] {
            let range = split.range(of: scheme.includesUpperBounds ? start + 1 : start)
            if let last = buckets.last, last.range == range {
                buckets[buckets.count - 1].width += bound - start
            } else {
                buckets.append((range, bound - start))
            }
            start = bound
        }
        let divisor = buckets.reduce(0) { FlagValue.divisor($0, $1.width) }
        let parts = buckets.map { bucket -> FlagValue in
            [bucket.range.map { results[$0] } ?? .null, .number(FlagNumber(bucket.width / divisor))]
        }
        return FlagValue.rule("fractional", ownKey(arguments[1]) + parts)
    }

    private static func ownRamp(_ arguments: FlagArray) -> FlagValue? {
        guard arguments.count > 2, case .object(let parameters) = arguments[0],
            parameters[SplitScheme.nameMember] != nil
        else { return nil }
        return FlagValue.rule("almanac.ramp", ownKey(arguments[1]) + arguments.dropFirst(2))
    }

    /// Returns the key of a split by a unit: none for the targeting key, and otherwise the flag's key with the unit, or
    /// null if the unit is missing.
    private static func ownKey(_ unit: FlagValue) -> [FlagValue] {
        if unit == FlagValue.rule("var", "targetingKey") || unit == FlagValue.rule("var", ["targetingKey"]) {
            return []
        }
        let key = FlagValue.rule("cat", [FlagValue.rule("var", "$flagd.flagKey"), unit])
        return [FlagValue.rule("if", [unit, key])]
    }

    private static func rule(_ name: String, _ argument: FlagValue) -> FlagValue {
        .object(FlagObject([FlagObject.Member(name, argument)]) ?? FlagObject())
    }

    private static func rule(_ name: String, _ arguments: [FlagValue]) -> FlagValue {
        rule(name, .array(FlagArray(arguments)))
    }

    private static func divisor(_ one: Int64, _ other: Int64) -> Int64 {
        other == 0 ? one : divisor(other, one % other)
    }
}

/// The buckets of another system's scheme, for programs that write splits.
public struct SchemeBuckets: Sendable {
    private let scheme: SplitScheme

    /// Creates the buckets of a scheme with its parameters. Returns nil if they are invalid.
    public init?(parameters: FlagValue) {
        guard case .object(let object) = parameters, let scheme = try? SplitScheme(object) else { return nil }
        self.scheme = scheme
    }

    /// The lower bound of the first range.
    public var start: Int64 { if case .firebase = scheme { -1 } else { 0 } }

    /// The upper bound of the last range.
    public var end: Int64 { scheme.count }

    /// Returns the upper bound of a first range for a share of all units, in thousandths of a percent.
    public func bound(forThousandths share: Int) -> Int64 { scheme.bound(for: share) }

    /// Returns the smallest share, in thousandths of a percent, whose first range has at least this upper bound.
    public func thousandths(forBound bound: Int64) -> Int { scheme.weight(for: bound) }
}
