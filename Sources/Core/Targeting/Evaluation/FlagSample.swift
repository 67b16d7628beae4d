/// The distribution of a flag's variants among sample users, and the number of users whose variant differs from that in
/// another set, such as the stored set that a draft replaces.
public struct FlagSample: Sendable {
    /// The number of evaluated users. Fewer than requested if the rule takes so many steps that the budget runs out.
    public private(set) var sampled = 0
    /// The flag's variants in their order, each with its number of users, and last the users without a variant, if any.
    public let variants: [Share]
    /// The changes from one variant to another, largest first. Empty without another set.
    public let moves: [Move]

    /// The number of users of one variant.
    public struct Share: Sendable, Equatable {
        /// The name of the variant, or nil for the caller's default, which also applies after an error.
        public let name: String?
        /// The number of users.
        public let count: Int
    }

    /// The number of users who change from one variant to another.
    public struct Move: Sendable, Equatable {
        /// The variant in the other set.
        public let from: String?
        /// The variant in this set.
        public let to: String?
        /// The number of users.
        public let count: Int
    }

    /// The number of users whose variant differs from that in the other set.
    public var moved: Int { moves.reduce(0) { $0 + $1.count } }

    /// Evaluates a flag for a sample of users.
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - set: The set to evaluate with.
    ///   - other: The set to compare with, or nil.
    ///   - context: The attributes of all users. Each user has a `targetingKey` of its own.
    ///   - ids: The users' targeting keys.
    ///   - now: The time in seconds since 1970.
    ///   - stepsLeft: The budget of steps; reduced by the executed steps.
    public init(
        of key: String, in set: FlagSet, against other: FlagSet? = nil, for context: EvaluationContext = .init(),
        ids: some Sequence<String>, now: Int64, stepsLeft: inout Int
    ) {
        let common = context.attributes.members.filter { !$0.name.hasBytes(of: "targetingKey") }
        var context = EvaluationContext(FlagObject([FlagObject.Member("targetingKey", "")] + common) ?? FlagObject())
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

    /// Returns targeting keys for an anonymous sample: "1", "2" and so on.
    public static func ids(_ count: Int) -> some Sequence<String> {
        (0..<max(0, count)).lazy.map { ($0 + 1).description }
    }

    /// Returns the names of a flag's variants, followed by nil for no variant.
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
    /// Returns the index of the user's variant, or nil.
    fileprivate func place(_ flag: Int?, _ context: EvaluationContext, _ now: Int64, _ stepsLeft: inout Int) -> Int? {
        guard let flag else { return nil }
        var evaluator = evaluator(flag, context, now)
        let outcome = evaluator.outcome()
        stepsLeft -= RuleLimits.maxSteps - evaluator.stepsLeft
        return outcome.variantIndex
    }
}
