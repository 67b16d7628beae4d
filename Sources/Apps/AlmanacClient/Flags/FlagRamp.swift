public import AlmanacJSON
internal import AlmanacTargeting
public import AlmanacTimestamps

/// The share of callers that a flag's rule gives one of its variants, and definitions with other shares.
///
/// This type supports flags without a rule, with a single split (`fractional`, or `almanac.split` in two parts) as
/// their rule, and with a ramp created by this type (`almanac.ramp`). When the share grows, a caller with the variant
/// keeps it, and a caller without it keeps the current variant or gets this one.
public struct FlagRamp: Sendable {
    private let definition: JSONObject
    private let variant: String
    private let now: Timestamp
    private let shape: Shape

    /// The reason why a flag can't be ramped.
    public struct Refusal: Error, CustomStringConvertible {
        public let description: String

        init(_ description: String) { self.description = description }
    }

    /// The position of the callers with the variant.
    private enum Shape {
        /// The buckets of a split.
        case split(FlagSplit)
        /// The callers inside or outside of a ramp.
        case ramp(key: JSONValue?, share: FlagPercent, in: JSONValue, out: JSONValue, isIn: Bool)
        /// The parts of a split or ramp by the hash of another system.
        case scheme(SchemeRamp, isIn: Bool)
    }

    /// - Parameters:
    ///   - definition: the flag's definition in flagd's format.
    ///   - variant: the name of one of its variants.
    ///   - now: the current time, because the share of a running ramp depends on it.
    public init(_ definition: JSONObject, variant: String, now: Timestamp) throws(Refusal) {
        let names = definition["variants"]?.objectValue?.members.map(\.name) ?? []
        guard names.contains(where: { $0.utf8.elementsEqual(variant.utf8) }) else {
            throw Refusal("the flag has no variant '\(variant)'; expected \(names.joined(separator: ", "))")
        }
        self.definition = definition
        self.variant = variant
        self.now = now
        shape = try Self.shape(of: definition, variant, now)
    }

    /// The current share of the variant.
    public var share: FlagPercent {
        switch shape {
        case .split(let split):
            let mine = split.buckets.filter { isMine($0.variant) }.reduce(0) { $0 + $1.weight }
            // Rounding up ensures that a ramp that starts with this share excludes nobody.
            return FlagPercent(thousandths: (mine * FlagPercent.whole + split.total - 1) / split.total)
        case .ramp(_, let share, _, _, let isIn): return isIn ? share : share.rest
        case .scheme(let scheme, let isIn): return isIn ? scheme.share : scheme.share.rest
        }
    }

    /// True if an attribute selects the bucket, so that callers without it are in no ramp.
    public var usesAttribute: Bool {
        switch shape {
        case .split(let split): split.key != nil
        case .ramp(let key, _, _, _, _): key != nil
        case .scheme(let scheme, _): scheme.unit != ["var": "targetingKey"]
        }
    }

    /// True if a ramp is running.
    public var isRunning: Bool {
        switch shape {
        case .split: false
        case .ramp: true
        case .scheme(let scheme, _): scheme.isRunning
        }
    }

    /// Returns the definition that gives this share of callers the variant.
    ///
    /// - Parameter seconds: the duration of a ramp to the share, starting now; nil for an immediate change.
    public func definition(giving percent: FlagPercent, over seconds: Int64? = nil) throws(Refusal) -> JSONObject {
        if percent == share, !isRunning { return definition }
        let targeting: JSONValue =
            if let seconds, percent != share { try ramp(to: percent, over: seconds) } else { try split(at: percent) }
        return definition.setting("targeting", targeting)
    }

    private func isMine(_ value: JSONValue) -> Bool { Self.isMine(value, variant, definition) }

    /// Returns true if a rule's result is the variant.
    private static func isMine(_ value: JSONValue, _ variant: String, _ definition: JSONObject) -> Bool {
        switch value {
        case .string(let name): name.utf8.elementsEqual(variant.utf8)
        case .boolean(let name): String(name) == variant
        case .null: definition["defaultVariant"].map { $0 == .string(variant) } ?? false
        default: false
        }
    }

    private static func shape(of definition: JSONObject, _ variant: String, _ now: Timestamp) throws(Refusal) -> Shape {
        let rule = definition["targeting"] ?? .null
        guard rule != .null, rule != .object(JSONObject()) else {
            let other = definition["defaultVariant"] ?? .null
            guard !isMine(other, variant, definition) else {
                throw Refusal("everybody has '\(variant)' already, because it is the default; ramp another variant")
            }
            return .split(FlagSplit([FlagSplit.Bucket(variant: other, weight: 1)]))
        }
        guard let (name, operand) = rule.objectValue.flatMap({ $0.count == 1 ? $0.members.first : nil }) else {
            throw Refusal("its rule is not an object with one operator")
        }
        switch (name, operand) {
        case ("fractional", .array(let arguments)): return .split(try FlagSplit(arguments))
        case ("almanac.ramp", .array(let arguments)) where arguments.first?.objectValue?["scheme"] != nil:
            return try scheme(SchemeRamp(ramp: arguments) { share(of: $0, at: now) }, variant, definition)
        case ("almanac.ramp", .array(let arguments)): return try ramp(arguments, variant, definition, now)
        case ("almanac.split", .array(let arguments)):
            return try scheme(SchemeRamp(split: arguments), variant, definition)
        default:
            throw Refusal(
                "its rule begins with '\(name)'; expected a rule that is only a split or a ramp of all callers; "
                    + "change the rule with 'almanac flags set'")
        }
    }

    private static func scheme(
        _ scheme: SchemeRamp, _ variant: String, _ definition: JSONObject
    ) throws(Refusal) -> Shape {
        let isIn = isMine(scheme.first, variant, definition)
        guard isIn != isMine(scheme.rest, variant, definition) else {
            throw Refusal("one of the two parts of its split must get '\(variant)', and the other another variant")
        }
        return .scheme(scheme, isIn: isIn)
    }

    private static func ramp(
        _ arguments: [JSONValue], _ variant: String, _ definition: JSONObject, _ now: Timestamp
    ) throws(Refusal) -> Shape {
        var rest = arguments[...]
        let key = rest.first?.arrayValue == nil ? rest.popFirst() : nil
        guard let points = rest.popFirst(), (1...2).contains(rest.count), let first = rest.first,
            let share = share(of: points, at: now)
        else {
            throw Refusal("its ramp is not valid; expected points in time, a variant, and optionally another variant")
        }
        let last = rest.count == 2 ? rest[rest.startIndex + 1] : .null
        let (isIn, isOut) = (isMine(first, variant, definition), isMine(last, variant, definition))
        guard isIn != isOut else {
            throw Refusal("a ramp of another variant is under way; end that ramp first, with a ramp without --over")
        }
        guard first.isPlainVariant, last.isPlainVariant || (isIn && last.objectValue?["fractional"] != nil) else {
            throw Refusal("its ramp selects a variant by a rule; change the rule with 'almanac flags set'")
        }
        return .ramp(key: key, share: share, in: first, out: last, isIn: isIn)
    }

    /// Returns the share of a ramp's points at a time; nil if the points are invalid.
    private static func share(of points: JSONValue, at now: Timestamp) -> FlagPercent? {
        let rule: JSONValue = ["almanac.ramp": [points, "in"]]
        let flags: JSONValue = ["flags": ["f": ["state": "ENABLED", "variants": ["in": true], "targeting": rule]]]
        guard let set = try? FlagSet(try FlagValue(json: flags.description), fractional: .version3),
            let caller = try? EvaluationContext(json: Array(#"{"targetingKey":"u"}"#.utf8))
        else { return nil }
        let steps = set.explain("f", for: caller, now: now.milliseconds / 1000).steps
        for case .ramp(let percent, _) in steps.map({ $0.finding }) {
            return FlagPercent(thousandths: Int((percent * 1000).rounded()))
        }
        return nil
    }

    /// Returns the rule that gives this share of callers the variant and leaves all other callers theirs.
    private func split(at percent: FlagPercent) throws(Refusal) -> JSONValue {
        if case .scheme(let scheme, let isIn) = shape { return scheme.split(at: isIn ? percent : percent.rest) }
        return try present().giving(.string(variant), percent, isMine: isMine).rule
    }

    /// Returns the current variants of all callers as a split, unless another system's hash places them.
    private func present() throws(Refusal) -> FlagSplit {
        guard case .ramp(let key, let share, let first, let last, let isIn) = shape else {
            guard case .split(let split) = shape else { preconditionFailure("a scheme has no split of this kind") }
            return split
        }
        if isIn, let arguments = last.objectValue?["fractional"]?.arrayValue {
            return try FlagSplit(arguments).covered(by: first, share)
        }
        return try FlagSplit(key: key, [FlagSplit.Bucket(variant: last, weight: 1)]).covered(by: first, share)
    }

    /// Returns the rule of a ramp to the share, linear over time.
    private func ramp(to percent: FlagPercent, over seconds: Int64) throws(Refusal) -> JSONValue {
        let start = Timestamp(milliseconds: now.milliseconds / 1000 * 1000)
        func points(_ isIn: Bool) -> JSONValue {
            let (from, to) = isIn ? (share, percent) : (share.rest, percent.rest)
            return [[.string("\(start)"), from.json], [.string("\(start.advanced(bySeconds: seconds))"), to.json]]
        }
        if case .scheme(let scheme, let isIn) = shape { return scheme.ramp(points(isIn)) }
        let front = try front()
        return ["almanac.ramp": .array((front.key.map { [$0] } ?? []) + [points(front.isIn), front.first, front.rest])]
    }

    /// Returns the variant inside a new ramp, and the rule for the callers outside.
    private func front() throws(Refusal) -> (key: JSONValue?, first: JSONValue, rest: JSONValue, isIn: Bool) {
        switch shape {
        case .ramp(let key, _, let first, let last, let isIn): return (key, first, last, isIn)
        case .scheme: preconditionFailure("a scheme has its own ramp")
        case .split(let split):
            let places = split.buckets.indices.filter { isMine(split.buckets[$0].variant) }
            if places == [1], split.buckets.count == 2 {
                return (split.key, split.buckets[0].variant, .string(variant), false)
            }
            guard places.isEmpty || places == [0] else {
                throw Refusal(
                    "a ramp over time needs '\(variant)' as the first variant of the split; "
                        + "ramp '\(variant)' without --over")
            }
            var others = places.isEmpty ? split.buckets : Array(split.buckets.dropFirst())
            guard !others.isEmpty else {
                throw Refusal("its split has no other variant for callers who lose this variant")
            }
            if others.count == 1 { return (split.key, .string(variant), others[0].variant, true) }
            if !places.isEmpty { others[0].weight += split.buckets[0].weight }
            return (split.key, .string(variant), FlagSplit(key: split.key, others).rule, true)
        }
    }
}

extension JSONValue {
    /// True if a rule's result is a variant's name without a nested rule.
    var isPlainVariant: Bool {
        switch self {
        case .string, .boolean, .null: true
        default: false
        }
    }
}
