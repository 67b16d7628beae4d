/// What variants of a flag a sample of callers gets, and how many of them would get another one than with other flags:
/// with those that are stored, where these are a draft.
public struct FlagSample: Sendable {
    /// How many callers were evaluated: fewer than were named where the rule does so much that all would take too long.
    public private(set) var sampled = 0
    /// The flag's variants in their order, each with the callers that get it, and those that get none at the end, if
    /// there are any.
    public let variants: [Share]
    /// From which variant to which callers move, most of them first; empty without other flags.
    public let moves: [Move]

    /// The callers that get a variant.
    public struct Share: Sendable, Equatable {
        /// The variant; nil for the caller's own value, which an error leaves too.
        public let name: String?
        /// How many they are.
        public let count: Int
    }

    /// The callers that move from one variant to another.
    public struct Move: Sendable, Equatable {
        /// What they got with the other flags.
        public let from: String?
        /// What they get with these.
        public let to: String?
        /// How many they are.
        public let count: Int
    }

    /// How many callers get another variant than with the other flags.
    public var moved: Int { moves.reduce(0) { $0 + $1.count } }

    /// Evaluates a flag for a sample of callers.
    /// - Parameters:
    ///   - key: The flag.
    ///   - set: The flags to evaluate with.
    ///   - other: Those to compare with; nil for none.
    ///   - context: What all callers have in common. Each has a `targetingKey` of its own.
    ///   - ids: The callers' targeting keys.
    ///   - now: The time in seconds since 1970.
    ///   - stepsLeft: How many steps may be made; what they were is taken off.
    public init(
        of key: String, in set: FlagSet, against other: FlagSet? = nil, for context: EvaluationContext = .init(),
        ids: some Sequence<String>, now: Int64, stepsLeft: inout Int
    ) {
        let common = context.attributes.members.filter { !$0.name.hasBytes(of: "targetingKey") }
        var context = EvaluationContext(
            FlagObject([FlagObject.Member("targetingKey", "")] + common) ?? FlagObject())
        let flag = set.index(of: key)
        let otherFlag = other.map { $0.index(of: key) }
        let names = Self.names(set, flag)
        let otherNames = other.map { Self.names($0, $0.index(of: key)) } ?? []
        var counts = [Int](repeating: 0, count: names.count)
        var moved: [Int: Int] = [:]
        for id in ids {
            guard stepsLeft > 0 else { break }
            stepsLeft -= 6
            context.attributes.setText(id, at: 0)
            let place = set.place(flag, context, now, &stepsLeft) ?? names.count - 1
            counts[place] += 1
            sampled += 1
            guard let other, let otherFlag else { continue }
            let before = other.place(otherFlag, context, now, &stepsLeft) ?? otherNames.count - 1
            if !Self.areSame(names[place], otherNames[before]) { moved[before * names.count + place, default: 0] += 1 }
        }
        variants = zip(names, counts).filter { $0 != nil || $1 > 0 }.map { Share(name: $0, count: $1) }
        moves = moved.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { place, count in
            Move(from: otherNames[place / names.count], to: names[place % names.count], count: count)
        }
    }

    /// The targeting keys of a sample that nobody names: "1", "2" and so on.
    public static func ids(_ count: Int) -> some Sequence<String> {
        (0..<max(0, count)).lazy.map { ($0 + 1).description }
    }

    /// The names of a flag's variants, and of none.
    private static func names(_ set: FlagSet, _ flag: Int?) -> [String?] {
        (flag.map { set.flags[$0].variants.map { $0.name } } ?? []) + [nil]
    }

    private static func areSame(_ left: String?, _ right: String?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): left.hasBytes(of: right)
        default: false
        }
    }
}

extension FlagSet {
    /// The place of the variant that a caller gets; nil for none.
    fileprivate func place(
        _ flag: Int?, _ context: EvaluationContext, _ now: Int64, _ stepsLeft: inout Int
    ) -> Int? {
        guard let flag else { return nil }
        var evaluator = evaluator(flag, context, now)
        let outcome = evaluator.outcome()
        stepsLeft -= RuleLimits.steps - evaluator.stepsLeft
        return outcome.variantIndex
    }
}
