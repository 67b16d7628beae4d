internal import AlmanacTargeting

/// A strategy, translated: conditions, and the part of the callers that they reach.
struct UnleashStrategy {
    let conditions: [FlagValue]
    let rollout: Rollout

    enum Rollout {
        case everyone
        case nobody
        /// The callers who have an attribute.
        case known(String)
        /// The callers whose bucket is at most the percentage.
        case part(Unit, groupId: String, percentage: Int)
    }

    /// The attribute by which callers are placed.
    enum Unit: Equatable {
        /// The user, or the session if there is no user.
        case standard
        case attribute(String)
        case random
    }

    /// True if no caller is in.
    var isNever: Bool {
        if case .nobody = rollout { return true }
        return conditions.contains(false)
    }

    /// The unit that each caller of the strategy has, or nil.
    var knownUnit: Unit? {
        switch rollout {
        case .known(let name): .attribute(name)
        case .part(let unit, _, _): unit
        case .everyone, .nobody: nil
        }
    }

    init(_ node: SourceNode, of feature: UnleashFeature, _ rules: inout UnleashRules) throws(Obstacle) {
        guard let name = node["name"]?.text else {
            throw node.obstacle("expected the name of a strategy")
        }
        let parameters = try UnleashParameters(node)
        var conditions = try rules.conditions(node)
        var rollout = Rollout.everyone
        switch name {
        case "default": break
        case "flexibleRollout":
            rollout = try Self.rollout(
                parameters, "rollout", try parameters.stickiness(), try parameters.groupId() ?? feature.name)
        case "gradualRolloutUserId", "gradualRolloutSessionId":
            guard let groupId = try parameters.groupId() else {
                throw node.obstacle("clients of Unleash read a \(name) without groupId differently")
            }
            let unit = Unit.attribute(name == "gradualRolloutUserId" ? "userId" : "sessionId")
            rollout = try Self.rollout(parameters, "percentage", unit, groupId)
        case "gradualRolloutRandom": rollout = try Self.rollout(parameters, "percentage", .random, "")
        case "userWithId":
            conditions.append(
                try rules.membership(of: "userId", in: try parameters.list("userIds"), at: node.pointer))
        case "remoteAddress":
            conditions.append(
                try rules.network(
                    try parameters.list("IPs"), try rules.attribute("remoteAddress", at: node.pointer)))
        case "applicationHostname":
            throw node.obstacle("strategy applicationHostname depends on the host on which a client runs")
        default: throw node.obstacle("custom strategy \(name)")
        }
        (self.conditions, self.rollout) = (conditions.filter { $0 != true }, rollout)
    }

    private static func rollout(
        _ parameters: UnleashParameters, _ name: String, _ unit: Unit, _ groupId: String
    ) throws(Obstacle) -> Rollout {
        switch (try parameters.percentage(name), unit) {
        case (0, _): .nobody
        case (100, .standard), (100, .random): .everyone
        case (_, .random):
            throw parameters.node.obstacle("the strategy chooses callers at random")
        case (100, .attribute(let name)): .known(name)
        case (let percentage, _): .part(unit, groupId: groupId, percentage: percentage)
        }
    }

    /// Returns the condition that a caller is in the strategy.
    func rule(_ rules: inout UnleashRules) throws(Obstacle) -> FlagValue {
        switch rollout {
        case .everyone: return Logic.all(conditions)
        case .nobody: return false
        case .known(let name):
            return Logic.all(conditions + [Logic.not(Logic.isMissing(try rules.attribute(name, at: "")))])
        case .part: return Logic.all(conditions + [try split(inside: true, outside: nil, &rules)])
        }
    }

    /// Returns a split with results for callers inside and outside of the rollout.
    func split(
        inside: FlagValue, outside: FlagValue?, _ rules: inout UnleashRules
    ) throws(Obstacle) -> FlagValue {
        guard case .part(let unit, let groupId, let percentage) = rollout else { return inside }
        let scheme = Logic.object([
            FlagObject.Member("scheme", "unleash"), FlagObject.Member("groupId", .string(groupId)),
        ])
        if unit == .standard {
            rules.note("neither userId nor sessionId is known: Unleash then decides at random")
        }
        let end = FlagValue.number(FlagNumber(Int64(percentage)))
        var ranges: [FlagValue] = [.array([0, end, inside])]
        if let outside { ranges.append(.array([end, 100, outside])) }
        return Logic.operation(
            "almanac.split", [scheme, try unit.rule(&rules), .array(FlagArray(ranges))])
    }
}

extension UnleashStrategy.Unit {
    /// Returns the rule that reads the unit, which is null for a missing one.
    func rule(_ rules: inout UnleashRules) throws(Obstacle) -> FlagValue {
        guard case .attribute(let name) = self, name != "userId", name != "sessionId" else {
            return try variable(&rules, missing: nil)
        }
        // Unleash hashes the text of any value.
        let attribute = try rules.attribute(name, at: "")
        return Logic.first(
            [(Logic.isMissing(attribute), nil)], otherwise: Logic.operation("cat", [attribute]))
    }

    /// Returns the rule that reads the unit, which is an empty text for a missing one.
    func text(_ rules: inout UnleashRules) throws(Obstacle) -> FlagValue {
        guard case .attribute(let name) = self, name != "userId", name != "sessionId" else {
            return try variable(&rules, missing: "")
        }
        return Logic.operation("cat", [try rules.attribute(name, at: "")])
    }

    private func variable(_ rules: inout UnleashRules, missing: FlagValue?) throws(Obstacle) -> FlagValue {
        let names: [String] =
            switch self {
            case .standard: ["userId", "sessionId"]
            case .attribute(let name): [name]
            case .random: []
            }
        var rule = missing
        for name in names.reversed() {
            _ = try rules.attribute(name, at: "")
            let path = FlagValue.string(rules.attributes.path(of: name).joined(separator: "."))
            rule = Logic.object([FlagObject.Member("var", rule.map { .array([path, $0]) } ?? path)])
        }
        return rule ?? nil
    }
}

/// The parameters of a strategy.
struct UnleashParameters {
    let node: SourceNode
    private let parameters: SourceNode?

    init(_ strategy: SourceNode) throws(Obstacle) {
        node = strategy
        parameters = strategy["parameters"]
        if let parameters, parameters.members == nil {
            throw parameters.obstacle("expected an object of parameters")
        }
    }

    private func text(_ name: String) throws(Obstacle) -> String? {
        guard let parameter = parameters?[name] else { return nil }
        guard let text = parameter.unleashText else { throw parameter.obstacle("expected a text") }
        return text
    }

    /// Returns a percentage from 0 to 100.
    func percentage(_ name: String) throws(Obstacle) -> Int {
        let text = try text(name) ?? ""
        guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy(UnleashForm.isDigit), let number = Int(text),
            number <= 100
        else {
            throw Obstacle(
                reason: "expected a whole number from 0 to 100 as \(name)",
                pointer: parameters?[name]?.pointer ?? node.pointer)
        }
        return number
    }

    /// Returns the group that is hashed, or nil if the strategy names none.
    func groupId() throws(Obstacle) -> String? {
        guard let text = try text("groupId") else { return nil }
        // Unleash's current clients build a text of the rule, which a quotation mark ends.
        guard !text.isEmpty, !text.contains("\""), text.utf8.last != UInt8(ascii: "\\") else {
            throw Obstacle(
                reason: "clients of Unleash read this groupId differently",
                pointer: parameters?["groupId"]?.pointer ?? node.pointer)
        }
        return text
    }

    func stickiness() throws(Obstacle) -> UnleashStrategy.Unit {
        try Self.unit(try text("stickiness"), at: parameters?["stickiness"]?.pointer ?? node.pointer)
    }

    /// Returns the unit that a stickiness names.
    static func unit(_ stickiness: String?, at pointer: String) throws(Obstacle) -> UnleashStrategy.Unit {
        switch stickiness {
        case nil, "default": return .standard
        case "random": return .random
        case "", "currentTime":
            throw Obstacle(reason: "clients of Unleash read this stickiness differently", pointer: pointer)
        case let name?: return .attribute(name)
        }
    }

    /// Returns the elements of a list that commas separate, or no element if the parameter is missing.
    func list(_ name: String) throws(Obstacle) -> [String] {
        guard let text = try text(name) else { return [] }
        var elements: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            var element = part
            while element.first?.isWhitespace == true { element.removeFirst() }
            while element.last?.isWhitespace == true { element.removeLast() }
            guard element.utf8.last != UInt8(ascii: "\\") else {
                throw Obstacle(
                    reason: "clients of Unleash read a text that ends with \\ differently",
                    pointer: parameters?[name]?.pointer ?? node.pointer)
            }
            elements.append(String(element))
        }
        return elements
    }
}
