internal import AlmanacTargeting

/// Unleash's own evaluation, as its clients make it (Unleash's client specification, and the engine Yggdrasil, which
/// the official clients share).
struct UnleashReference: SourceReference {
    private let document: UnleashDocument
    private let features: [String: Feature]

    var probes: [AttributeProbe] { UnleashProbes(document).probes }

    init(_ document: UnleashDocument) {
        self.document = document
        var segments: [String: [UnleashComparison]] = [:]
        for (id, segment) in document.segments {
            segments[id] = (segment["constraints"]?.elements ?? []).map { UnleashComparison($0) }
        }
        features = Dictionary(
            document.features.map { ($0.name, Feature($0, segments)) }, uniquingKeysWith: { first, _ in first })
    }

    func answer(_ flag: String, _ attributes: [String: FlagValue], now: Int64) -> SourceAnswer {
        guard let feature = features[flag] else { return .none }
        let context = UnleashContext(attributes, now: now)
        let match = match(feature, context, group: flag)
        switch match.truth {
        case .random: return .random
        case .no: return .value(feature.off)
        case .yes: break
        }
        guard let choice = match.choice else { return .value(feature.on) }
        return choice.variant(context).map { .value($0.value) } ?? .random
    }

    /// Returns the state of a feature for a caller.
    ///
    /// - Parameter group: The name of the feature of which the app asks. A rollout without a group hashes it.
    private func match(_ feature: Feature, _ context: UnleashContext, group: String) -> Match {
        guard feature.isEnabled else { return Match(truth: .no) }
        var parents = Truth.yes
        for dependency in feature.dependencies {
            switch isMet(dependency, context, child: group) {
            case .no: return Match(truth: .no)
            case .random: parents = .random
            case .yes: break
            }
        }
        var match = Match(truth: feature.strategies.isEmpty ? .yes : .no, choice: feature.choice)
        for strategy in feature.strategies {
            let truth = strategy.matches(context, group: group)
            if truth == .no { continue }
            // For a feature without variants, only one strategy must match.
            if match.truth == .no || !feature.hasVariants {
                match = Match(truth: truth, choice: strategy.choice ?? feature.choice)
            }
            if truth == .yes { break }
        }
        if match.truth == .yes, parents == .random { match.truth = .random }
        return match
    }

    private func isMet(_ dependency: Dependency, _ context: UnleashContext, child: String) -> Truth {
        guard let parent = features[dependency.feature], parent.dependencies.isEmpty else { return .no }
        let match = match(parent, context, group: child)
        if match.truth == .random { return .random }
        guard (match.truth == .yes) == dependency.isOn else { return .no }
        guard dependency.isOn, !dependency.variants.isEmpty, let choice = match.choice else { return .yes }
        guard let variant = choice.variant(context) else { return .random }
        return dependency.variants.contains(variant.name) ? .yes : .no
    }

    /// The truth of a condition, which may be random.
    private enum Truth {
        case yes, no, random
    }

    private struct Match {
        var truth: Truth
        /// The variants of the strategy that matches first.
        var choice: Choice?
    }

    private struct Feature {
        let isEnabled: Bool
        let hasVariants: Bool
        let strategies: [Strategy]
        let choice: Choice?
        let dependencies: [Dependency]
        let on: FlagValue
        let off: FlagValue

        init(_ feature: UnleashFeature, _ segments: [String: [UnleashComparison]]) {
            isEnabled = feature.isEnabled
            hasVariants = feature.hasVariants
            strategies = feature.strategies.map { Strategy($0, feature.name, segments) }
            let list = feature.variants?.elements ?? []
            choice = Choice(list, group: feature.name, stickiness: list.first?["stickiness"]?.text, hasOverrides: true)
            dependencies = feature.dependencies.map { Dependency($0) }
            on = feature.hasVariants ? UnleashVariants.value(isEnabled: true) : true
            off = feature.hasVariants ? UnleashVariants.value(isEnabled: false) : false
        }
    }

    private struct Dependency {
        let feature: String
        let isOn: Bool
        let variants: Set<String>

        init(_ node: SourceNode) {
            feature = node["feature"]?.text ?? ""
            isOn = node["enabled"]?.bool ?? true
            variants = Set((node["variants"]?.elements ?? []).compactMap(\.text))
        }
    }

    private struct Strategy {
        private let name: String
        /// The constraints of the strategy and its segments, or nil if a segment is missing.
        private var constraints: [UnleashComparison]?
        private let percentage: Int?
        private let stickiness: String
        private let groupId: String?
        /// The elements of a list of users or addresses.
        private let list: [String]
        let choice: Choice?

        init(_ node: SourceNode, _ feature: String, _ segments: [String: [UnleashComparison]]) {
            name = node["name"]?.text ?? ""
            constraints = (node["constraints"]?.elements ?? []).map { UnleashComparison($0) }
            for id in node["segments"]?.elements ?? [] {
                guard let segment = id.unleashText.flatMap({ segments[$0] }) else {
                    constraints = nil
                    break
                }
                constraints?.append(contentsOf: segment)
            }
            let parameters = node["parameters"]
            percentage = (parameters?["rollout"] ?? parameters?["percentage"])?.unleashText.flatMap { Int($0) }
            stickiness = parameters?["stickiness"]?.text ?? "default"
            groupId = parameters?["groupId"]?.unleashText
            let text = parameters?["userIds"]?.text ?? parameters?["IPs"]?.text
            list = (text?.split(separator: ",", omittingEmptySubsequences: false) ?? []).map { part in
                String(String(part.drop(while: \.isWhitespace)).reversed().drop(while: \.isWhitespace).reversed())
            }
            choice = Choice(
                node["variants"]?.elements ?? [], group: groupId ?? feature, stickiness: stickiness, hasOverrides: false
            )
        }

        func matches(_ context: UnleashContext, group: String) -> Truth {
            guard let constraints, constraints.allSatisfy({ $0.holds(context) }) else { return .no }
            switch name {
            case "default": return .yes
            case "userWithId":
                let user = context["userId"].map { Array($0.utf8) }
                return list.contains { Array($0.utf8) == user } ? .yes : .no
            case "remoteAddress":
                guard let address = context["remoteAddress"] else { return .no }
                return list.contains { UnleashNetwork($0)?.contains(address) == true } ? .yes : .no
            case "flexibleRollout": return rollout(stickiness, groupId ?? group, context)
            case "gradualRolloutUserId": return rollout("userId", groupId, context)
            case "gradualRolloutSessionId": return rollout("sessionId", groupId, context)
            case "gradualRolloutRandom": return rollout("random", "", context)
            default: return .no
            }
        }

        private func rollout(_ stickiness: String, _ group: String?, _ context: UnleashContext) -> Truth {
            guard let percentage, let group else { return .no }
            if let unit = context.unit(stickiness) {
                return context.bucket(group, unit, seed: 0, count: 100) <= percentage ? .yes : .no
            }
            guard stickiness == "default" || stickiness == "random" else { return .no }
            return percentage <= 0 ? .no : percentage >= 100 ? .yes : .random
        }
    }

    /// The choice of one of several variants.
    private struct Choice {
        private let variants: [Variant]
        private let group: String
        private let stickiness: String
        private let total: Int

        struct Variant {
            let name: String
            let value: FlagValue
            let weight: Int
            let overrides: [(name: String, values: [[UInt8]])]
        }

        init?(_ list: [SourceNode], group: String, stickiness: String?, hasOverrides: Bool) {
            guard !list.isEmpty else { return nil }
            self.group = group
            self.stickiness = stickiness ?? "default"
            variants = list.map { node in
                let overrides = hasOverrides ? node["overrides"]?.elements ?? [] : []
                return Variant(
                    name: node["name"]?.text ?? "", value: UnleashVariants.value(isEnabled: true, variant: node),
                    weight: max(0, min(node["weight"]?.integer ?? 0, 1_000_000)),
                    overrides: overrides.map { override in
                        let values = (override["values"]?.elements ?? []).compactMap(\.text)
                        return (override["contextName"]?.text ?? "", values.map { Array($0.utf8) })
                    })
            }
            total = variants.reduce(0) { $0 + $1.weight }
        }

        /// Returns the variant of a caller, or nil if it is chosen at random.
        func variant(_ context: UnleashContext) -> Variant? {
            for variant in variants {
                for override in variant.overrides {
                    if let value = context[override.name], override.values.contains(Array(value.utf8)) {
                        return variant
                    }
                }
            }
            let possible = variants.filter { $0.weight > 0 }
            if possible.count == 1 { return possible[0] }
            guard total > 0, let unit = context.unit(stickiness) else { return nil }
            let target = context.bucket(group, unit, seed: 86_028_157, count: total)
            var sum = 0
            for variant in variants {
                sum += variant.weight
                if sum >= target { return variant }
            }
            return nil
        }
    }
}

/// The attributes of a caller as texts, as Unleash's clients send them to the engine.
struct UnleashContext {
    private let attributes: [String: FlagValue]
    let now: UnleashTime

    init(_ attributes: [String: FlagValue], now: Int64) {
        self.attributes = attributes
        self.now = UnleashTime(seconds: now)
    }

    subscript(name: String) -> String? {
        switch attributes[name] {
        case .string(let text)?: text
        case .number(let number)?: number.text
        case .bool(let bool)?: bool ? "true" : "false"
        default: nil
        }
    }

    /// Returns the text by which a stickiness places the caller, or nil for a place at random.
    func unit(_ stickiness: String) -> String? {
        switch stickiness {
        case "default": self["userId"] ?? self["sessionId"]
        case "random": nil
        default: self[stickiness]
        }
    }

    /// Returns a number from 1 to the count.
    func bucket(_ group: String, _ unit: String, seed: UInt32, count: Int) -> Int {
        var murmur = Murmur3(seed: seed)
        murmur.add(group + ":" + unit)
        return Int(murmur.hash) % count + 1
    }
}
