internal import AlmanacTargeting

/// A translator of one flag of GO Feature Flag.
struct GoffFlag {
    private let source: String
    private let node: SourceNode
    private var variations: [FlagObject.Member] = []
    private var values: [String: FlagValue] = [:]
    private var bucketingKey: String?
    private var initial = GoffState()
    /// The steps of the schedule by their times.
    private var steps: [(time: GoffTime, node: SourceNode)] = []
    private var stepsNeedBucket = false
    private var metadata: [FlagObject.Member] = []
    private var description: String?

    private static let maxSteps = 20

    init(_ source: String, _ node: SourceNode) throws(Obstacle) {
        (self.source, self.node) = (source, node)
        guard node["variations"] != nil else {
            throw node.obstacle("the flag has no variations; convert flags from before version 1 first")
        }
        try node.allowOnly(
            Self.stepFields.union(["bucketingKey", "scheduledRollout", "metadata"]).subtracting(["date"]))
        try add(variationsOf: node)
        bucketingKey = try node.text("bucketingKey")
        try initial.apply(node)
        let steps = try node.list("scheduledRollout")
        guard steps.count <= Self.maxSteps else {
            throw node.obstacle("the schedule has more than \(Self.maxSteps) steps")
        }
        for step in steps {
            try step.allowOnly(Self.stepFields)
            guard let time = try step.goffTime("date") else { throw step.obstacle("a step needs a date") }
            try add(variationsOf: step)
            self.steps.append((time, step))
            for rule in try step.list("targeting") where try GoffRule(rule).needsBucket { stepsNeedBucket = true }
        }
        // The sort is stable, as GO Feature Flag's is.
        self.steps.sort { $0.time.milliseconds < $1.time.milliseconds }
        setMetadata()
    }

    private static let stepFields: Set = [
        "date", "variations", "targeting", "defaultRule", "disable", "experimentation", "trackEvents", "version",
    ]

    /// Adds the variations of the flag or of a step, which must all have one type.
    private mutating func add(variationsOf node: SourceNode) throws(Obstacle) {
        guard let added = node["variations"] else { return }
        guard let members = added.members, !members.isEmpty else { throw added.obstacle("expected variations") }
        for (name, variation) in members {
            switch (variations.first?.value ?? variation.value, variation.value) {
            case (.bool, .bool), (.number, .number), (.string, .string), (.object, .object): break
            case (_, .array), (_, .null): throw variation.obstacle("a variant can be no array and not null")
            default: throw variation.obstacle("the variations have several types")
            }
            if let known = values.updateValue(variation.value, forKey: name) {
                guard known == variation.value else {
                    throw variation.obstacle("a step changes the value of a variation")
                }
            } else {
                variations.append(FlagObject.Member(name, variation.value))
            }
        }
    }

    private mutating func setMetadata() {
        for (name, node) in node["metadata"]?.members ?? [] where !name.hasPrefix("almanac.") {
            switch node.value {
            case .string(let text) where name == "description": description = text
            case .bool, .number, .string: metadata.append(FlagObject.Member(name, node.value))
            default: break
            }
        }
        if let version = node["version"], version.text != nil, !metadata.contains(where: { $0.name == "version" }) {
            metadata.append(FlagObject.Member("version", version.value))
        }
    }

    /// Returns the flag in flagd's format.
    ///
    /// - Parameter query: The translator of queries, which collects attributes and the cases in which the flag differs.
    func flag(as key: String, _ query: inout GoffQuery) throws(Obstacle) -> ImportedFlag {
        var members = [
            FlagObject.Member("state", initial.isDisabled && steps.isEmpty ? "DISABLED" : "ENABLED"),
            FlagObject.Member("variants", Logic.object(variations)),
        ]
        let targeting: FlagValue
        var fallback: FlagValue?
        if steps.isEmpty {
            (targeting, fallback) = try rule(initial, &query)
        } else {
            targeting = try scheduledRule(&query)
        }
        if let fallback { members.append(FlagObject.Member("defaultVariant", fallback)) }
        if targeting != nil { members.append(FlagObject.Member("targeting", targeting)) }
        if !metadata.isEmpty { members.append(FlagObject.Member("metadata", Logic.object(metadata))) }
        return ImportedFlag(
            key: key, source: source, definition: FlagObject(members) ?? FlagObject(), description: description)
    }

    /// Returns the rule of each part of the schedule, the last part first.
    private func scheduledRule(_ query: inout GoffQuery) throws(Obstacle) -> FlagValue {
        var state = initial
        let first = try wholeRule(state, &query)
        var branches: [(condition: FlagValue, result: FlagValue)] = []
        for (index, step) in steps.enumerated() {
            try state.apply(step.node)
            // Steps of one time are one change.
            if index + 1 < steps.count, steps[index + 1].time.milliseconds == step.time.milliseconds { continue }
            branches.append((step.time.isNow(">="), try wholeRule(state, &query)))
        }
        return Logic.first(branches.reversed(), otherwise: first)
    }

    private func wholeRule(_ state: GoffState, _ query: inout GoffQuery) throws(Obstacle) -> FlagValue {
        if state.isDisabled { return .null }
        let (targeting, fallback) = try rule(state, &query)
        guard let fallback else { return targeting }
        guard case .object(let object) = targeting, case .array(let branches) = object.members[0].value else {
            return fallback
        }
        return Logic.operation("if", Array(branches) + [fallback])
    }

    /// Returns a rule, and the variant that applies where the rule yields null, if it can be a default variant.
    private func rule(
        _ state: GoffState, _ query: inout GoffQuery
    ) throws(Obstacle) -> (targeting: FlagValue, fallback: FlagValue?) {
        guard let defaultRule = state.defaultRule else { throw node.obstacle("the flag has no default rule") }
        let names = Set(values.keys)
        let unit = try unit(&query)
        var branches: [(condition: FlagValue, result: FlagValue)] = []
        var hasGap = false
        for rule in state.rules where !rule.isDisabled {
            let condition = try query.rule(rule.query, at: rule.pointer + "/query")
            let result = try rule.result(flag: source, unit: unit, variations: names) { query.note($0) }
            branches.append((condition, result.value))
            hasGap = hasGap || result.hasGap
        }
        let last = try defaultRule.result(flag: source, unit: unit, variations: names) { query.note($0) }
        let guards = guards(state, unit, areNeeded: !branches.isEmpty || last.isVariation)
        if guards.isEmpty, last.isVariation, !hasGap {
            guard !branches.isEmpty else { return (.null, last.value) }
            return (Logic.operation("if", branches.flatMap { [$0.condition, $0.result] }), last.value)
        }
        let rule = Logic.first(branches, otherwise: last.value)
        return (guards.isEmpty ? rule : Logic.first([(Logic.all(guards), rule)], otherwise: .null), nil)
    }

    /// Returns the rule that yields the unit.
    private func unit(_ query: inout GoffQuery) throws(Obstacle) -> FlagValue {
        guard let bucketingKey, !bucketingKey.isEmpty else { return Logic.variable(["targetingKey"]) }
        let names = bucketingKey.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
        let pointer = node.pointer + "/bucketingKey"
        guard !["key", "targetingKey", "anonymous"].contains(names[0]) else {
            throw Obstacle(reason: "\"\(names[0])\" is no attribute", pointer: pointer)
        }
        return try query.variable(names, at: pointer)
    }

    /// Returns the conditions without which GO Feature Flag serves the caller's default.
    private func guards(_ state: GoffState, _ unit: FlagValue, areNeeded: Bool) -> [FlagValue] {
        var guards: [FlagValue] = []
        if let start = state.start { guards.append(start.isNow(">=")) }
        if let end = state.end { guards.append(end.isNow("<=")) }
        let needsBucket =
            stepsNeedBucket || state.defaultRule?.needsBucket == true || state.rules.contains { $0.needsBucket }
        if bucketingKey?.isEmpty == false { guards.append(Logic.isText(unit)) }
        if needsBucket, areNeeded { guards.append(Logic.operation("!!", [unit])) }
        return guards
    }
}
