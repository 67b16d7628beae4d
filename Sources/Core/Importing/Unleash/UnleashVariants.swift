internal import AlmanacTargeting

/// The variants of a flag: a boolean's, or an object for each variant of Unleash and for a feature that is off.
struct UnleashVariants {
    private(set) var members: [FlagObject.Member] = []
    /// The names in Unleash by the names in the flag, without the variants for callers who get none.
    private(set) var sources: [(name: String, source: String)] = []
    private let isBoolean: Bool
    private var names = UniqueNames()

    private static let maxVariants = 500
    static let on = "on"
    static let off = "off"

    init(_ feature: UnleashFeature) {
        isBoolean = !feature.hasVariants
        _ = names.add(Self.off)
        if feature.mayLackVariant { _ = names.add(Self.on) }
    }

    /// The members of the flag. The variant `on` is for callers for whom the feature is on without a variant.
    func all(usesOn: Bool) -> [FlagObject.Member] {
        if isBoolean { return [FlagObject.Member(Self.on, true), FlagObject.Member(Self.off, false)] }
        var all = members
        if usesOn { all.append(FlagObject.Member(Self.on, Self.value(isEnabled: true))) }
        return all + [FlagObject.Member(Self.off, Self.value(isEnabled: false))]
    }

    /// Returns the value of a flag for a caller who gets a variant, or none.
    static func value(isEnabled: Bool, variant: SourceNode? = nil) -> FlagValue {
        var members = [
            FlagObject.Member("enabled", .bool(isEnabled)),
            FlagObject.Member("variant", .string(variant?["name"]?.text ?? "disabled")),
        ]
        if let payload = variant?["payload"], let content = Self.content(of: payload)?.value {
            members.append(FlagObject.Member("payload", content))
        }
        return Logic.object(members)
    }

    /// Returns the value of a payload: JSON and numbers as such, and other types as texts. False for a text that is not
    /// of its type, which remains a text.
    private static func content(of payload: SourceNode) -> (value: FlagValue, isOfType: Bool)? {
        guard let text = payload["value"]?.text else { return nil }
        switch payload["type"]?.text {
        case "json":
            if let value = try? FlagValue(json: Array(text.utf8), maxDepth: 32) { return (value, true) }
            return (.string(text), false)
        case "number":
            if case .number(let number)? = try? FlagValue(json: text) { return (.number(number), true) }
            return (.string(text), false)
        default: return (.string(text), true)
        }
    }

    /// Returns the rule that chooses one of an array of variants.
    ///
    /// - Parameters:
    ///   - groupId: The group that is hashed.
    ///   - unit: The unit, or nil for the stickiness of the first variant.
    ///   - known: The unit that each caller has.
    mutating func choice(
        _ list: [SourceNode], groupId: String, unit: UnleashStrategy.Unit?, known: UnleashStrategy.Unit? = nil,
        _ rules: inout UnleashRules
    ) throws(Obstacle) -> FlagValue {
        var unit = unit
        if unit == nil, let first = list.first {
            unit = try UnleashParameters.unit(first["stickiness"]?.text, at: first.pointer)
        }
        var overrides: [(FlagValue, FlagValue)] = []
        var ranges: [FlagValue] = []
        var total = 0
        var last: FlagValue = nil
        for node in list {
            let name = FlagValue.string(try add(node, &rules))
            for override in node["overrides"]?.elements ?? [] {
                overrides.append((try Self.condition(of: override, &rules), name))
            }
            guard let weight = node["weight"]?.integer, (0...1_000_000).contains(weight) else {
                throw Obstacle(
                    reason: "expected a weight from 0 to 1000000", pointer: node["weight"]?.pointer ?? node.pointer)
            }
            guard weight > 0 else { continue }
            let start = FlagValue.number(FlagNumber(Int64(total)))
            total += weight
            ranges.append(.array([start, .number(FlagNumber(Int64(total))), name]))
            last = name
        }
        guard let first = list.first, total > 0, total <= Int(Int32.max) else {
            throw Obstacle(reason: "the weights of the variants have no sum", pointer: list.first?.pointer ?? "")
        }
        if ranges.count == 1 { return Logic.first(overrides, otherwise: last) }
        switch unit {
        case .random?: throw first.obstacle("the variant is chosen at random")
        case .standard? where known != .standard:
            rules.note("neither userId nor sessionId is known: Unleash then decides at random")
        case .attribute(let name)? where known != .attribute(name):
            rules.note("\(name) is missing: Unleash then chooses the variant at random")
        default: break
        }
        let scheme = Logic.object([
            FlagObject.Member("scheme", "unleash-variants"), FlagObject.Member("groupId", .string(groupId)),
            FlagObject.Member("totalWeight", .number(FlagNumber(Int64(total)))),
        ])
        let split = Logic.operation(
            "almanac.split",
            [scheme, try (unit ?? .standard).text(&rules), .array(FlagArray(ranges))])
        return Logic.first(overrides, otherwise: split)
    }

    private static func condition(
        of override: SourceNode, _ rules: inout UnleashRules
    ) throws(Obstacle) -> FlagValue {
        guard let name = override["contextName"]?.text, name != "currentTime",
            let elements = override["values"]?.elements
        else { throw override.obstacle("expected an attribute and values") }
        let texts = elements.compactMap(\.text)
        guard texts.count == elements.count else {
            throw Obstacle(
                reason: "expected an array of texts", pointer: override["values"]?.pointer ?? override.pointer)
        }
        return try rules.membership(of: name, in: texts, at: override.pointer)
    }

    /// Adds a variant, and returns its name in the flag. Variants of one name and one payload are one.
    private mutating func add(_ node: SourceNode, _ rules: inout UnleashRules) throws(Obstacle) -> String {
        guard let source = node["name"]?.text else {
            throw node.obstacle("expected the name of a variant")
        }
        if let payload = node["payload"] {
            guard let content = Self.content(of: payload) else {
                throw payload.obstacle("expected a text as the value of the payload")
            }
            if !content.isOfType {
                rules.note("the app expects the payload of \(source) to be of its type, which it is not")
            }
        }
        let value = Self.value(isEnabled: true, variant: node)
        guard members.count < Self.maxVariants else {
            throw node.obstacle("more than \(Self.maxVariants) variants")
        }
        if let known = members.first(where: { $0.value == value }) { return known.name }
        let name = names.add(source.isEmpty ? "variant" : source)
        members.append(FlagObject.Member(name, value))
        sources.append((name, source))
        return name
    }
}
