internal import AlmanacTargeting

/// A feature, translated to a flag.
struct UnleashTranslation {
    let feature: UnleashFeature
    var differences: [String]
    /// The conditions of the features on which this one depends.
    var dependencies: [FlagValue] = []
    /// True if a rollout hashes the name of the feature, because its strategy names no group.
    let hashesItsName: Bool
    private let variants: UnleashVariants
    /// The result if no condition of a dependency fails: the name of a variant, or a rule.
    private let result: FlagValue

    private static let maxStrategies = 1000

    init(_ feature: UnleashFeature, _ rules: inout UnleashRules) throws(Obstacle) {
        if let obstacle = feature.obstacle { throw obstacle }
        guard !feature.name.isEmpty else {
            throw feature.node.obstacle("expected the name of a feature")
        }
        self.feature = feature
        rules.begin()
        var variants = UnleashVariants(feature)
        var branches: [(condition: FlagValue, result: FlagValue)] = []
        var otherwise: FlagValue = .string(UnleashVariants.off)
        var hashesItsName = false
        guard feature.strategies.count <= Self.maxStrategies else {
            throw feature.node.obstacle("more than \(Self.maxStrategies) strategies")
        }
        if feature.strategies.isEmpty { otherwise = try Self.outcome(feature, nil, nil, &variants, &rules) }
        for (place, node) in feature.strategies.enumerated() {
            let strategy = try UnleashStrategy(node, of: feature, &rules)
            let outcome = try Self.outcome(feature, node, strategy, &variants, &rules)
            if case .part = strategy.rollout, node["parameters"]?["groupId"] == nil { hashesItsName = true }
            if strategy.isNever { continue }
            if strategy.conditions.isEmpty, case .everyone = strategy.rollout {
                // No caller reaches the strategies behind this one.
                otherwise = outcome
                break
            }
            let isLast = place == feature.strategies.count - 1
            if isLast, case .part = strategy.rollout {
                // A split that decides alone can be changed as a rollout.
                let split = try strategy.split(inside: outcome, outside: otherwise, &rules)
                if strategy.conditions.isEmpty {
                    otherwise = split
                } else {
                    branches.append((Logic.all(strategy.conditions), split))
                }
            } else {
                Self.append((try strategy.rule(&rules), outcome), to: &branches)
            }
        }
        while let last = branches.last, last.result == otherwise, case .string = otherwise { branches.removeLast() }
        self.variants = variants
        self.hashesItsName = hashesItsName
        result = Logic.first(branches, otherwise: otherwise)
        differences = rules.differences
    }

    /// Returns the name of the variant of a caller, or the rule that chooses it.
    private static func outcome(
        _ feature: UnleashFeature, _ node: SourceNode?, _ strategy: UnleashStrategy?,
        _ variants: inout UnleashVariants, _ rules: inout UnleashRules
    ) throws(Obstacle) -> FlagValue {
        for list in [node?["variants"], feature.variants] {
            if let list, list.elements == nil { throw list.obstacle("expected an array of variants") }
        }
        if let node, let own = node["variants"]?.elements, !own.isEmpty {
            let parameters = try UnleashParameters(node)
            return try variants.choice(
                own, groupId: try parameters.groupId() ?? feature.name, unit: try parameters.stickiness(),
                known: strategy?.knownUnit, &rules)
        }
        guard let shared = feature.variants?.elements, !shared.isEmpty else { return .string(UnleashVariants.on) }
        return try variants.choice(
            shared, groupId: feature.name, unit: nil, known: strategy?.knownUnit, &rules)
    }

    /// Appends a branch. A branch with the result of the one before joins it.
    private static func append(
        _ branch: (condition: FlagValue, result: FlagValue),
        to branches: inout [(condition: FlagValue, result: FlagValue)]
    ) {
        guard let last = branches.last, last.result == branch.result else { return branches.append(branch) }
        var conditions = [last.condition]
        if case .object(let object) = last.condition, object.members[0].name == "or",
            case .array(let elements) = object.members[0].value
        {
            conditions = Array(elements)
        }
        branches[branches.count - 1].condition = Logic.any(conditions + [branch.condition])
    }

    /// The names of the variants with which the feature is on.
    var namesOn: [String] {
        variants.sources.map(\.name) + (feature.mayLackVariant ? [UnleashVariants.on] : [])
    }

    /// Returns the names of the variants that have certain names in Unleash.
    func names(of sources: [String]) -> [String] {
        variants.sources.filter { sources.contains($0.source) }.map(\.name)
            + (feature.mayLackVariant ? [UnleashVariants.on] : [])
    }

    /// The flag in flagd's format.
    var definition: FlagObject {
        let off = FlagValue.string(UnleashVariants.off)
        var defaultVariant = off
        var targeting: FlagValue?
        if !dependencies.isEmpty {
            targeting = Logic.first([(Logic.all(dependencies), result)], otherwise: off)
        } else if case .string = result {
            defaultVariant = result
        } else {
            targeting = result
        }
        var metadata: [FlagObject.Member] = []
        if !feature.tags.isEmpty {
            metadata.append(FlagObject.Member("tags", .string(feature.tags.joined(separator: ", "))))
        }
        metadata.append(FlagObject.Member("almanac.off", off))
        var members = [
            FlagObject.Member("state", feature.isEnabled ? "ENABLED" : "DISABLED"),
            FlagObject.Member("variants", Logic.object(variants.all(usesOn: feature.mayLackVariant))),
            FlagObject.Member("defaultVariant", defaultVariant),
        ]
        if let targeting { members.append(FlagObject.Member("targeting", targeting)) }
        members.append(FlagObject.Member("metadata", Logic.object(metadata)))
        return FlagObject(members) ?? FlagObject()
    }
}
