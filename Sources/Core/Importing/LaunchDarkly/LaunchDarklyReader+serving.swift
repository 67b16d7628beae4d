internal import AlmanacTargeting

// The variations of a flag, and the parts that choose one.
extension LaunchDarklyReader {
    struct Variant {
        let name: String
        let value: FlagValue
    }

    /// Returns the variations with names: their own, short texts of their values, or numbers.
    func variants(of flag: SourceNode) throws(Obstacle) -> [Variant] {
        var variants: [Variant] = []
        var names = UniqueNames()
        let variations = try flag.list("variations")
        guard !variations.isEmpty else { throw flag.obstacle("the flag has no variations") }
        for (index, variation) in variations.enumerated() {
            guard let node = variation["value"] else { throw variation.obstacle("the value of a variation is null") }
            if case .array = node.value { throw node.obstacle("the value of a variation is an array") }
            if let first = variants.first, !Self.haveOneType(first.value, node.value) {
                throw node.obstacle("the values of the variations have different types")
            }
            let own = try variation.text("name").flatMap { $0.isEmpty ? nil : $0 }
            let base = own ?? Self.shortText(node.value) ?? "variation-\(index + 1)"
            variants.append(Variant(name: names.add(base), value: node.value))
        }
        return variants
    }

    /// Returns the name of the variation that a member of a node is the index of, or nil if there is no such member.
    func variant(_ node: SourceNode, _ member: String, _ variants: [Variant]) throws(Obstacle) -> String? {
        guard let index = try node.integer(member) else { return nil }
        guard variants.indices.contains(index) else {
            throw (node[member] ?? node).obstacle("the flag has no variation \(index)")
        }
        return variants[index].name
    }

    /// Returns the name of a fixed variation, or a split of callers, or nil if there is neither.
    ///
    /// - Parameter member: The member of the node that serves, or nil for the node itself.
    mutating func serving(
        _ node: SourceNode, _ variants: [Variant], _ key: String, _ salt: String?, member: String? = "fallthrough"
    ) throws(Obstacle) -> FlagValue? {
        guard let serving = member.map({ node[$0] }) ?? node else { return nil }
        if let name = try variant(serving, "variation", variants) { return .string(name) }
        guard let rollout = serving["rollout"] else { return nil }
        var ranges: [(weight: Int, result: FlagValue)] = []
        for part in try rollout.list("variations") {
            guard let name = try variant(part, "variation", variants), let weight = try part.integer("weight") else {
                throw part.obstacle("a part of a rollout needs a variation and a weight")
            }
            ranges.append((weight, .string(name)))
        }
        guard !ranges.isEmpty else { throw rollout.obstacle("the rollout has no variations") }
        let kind = try kind(rollout)
        var unit = LaunchDarklyAttribute(kind: kind, name: "key")
        if let reference = try rollout.text("bucketBy"), !reference.isEmpty, rollout["kind"]?.text != "experiment" {
            let attribute = try Self.attribute(reference, rollout, "contextKind")
            // LaunchDarkly's clients split an experiment by the key, whatever the rollout says.
            if rollout["experimentAllocation"] != nil, !attribute.isKey {
                throw rollout.obstacle("the experiment is split by the attribute \(attribute.sourceName)")
            }
            unit = attribute
        }
        var parameters = [FlagObject.Member("scheme", "launchdarkly")]
        if let seed = rollout["seed"] {
            guard seed.integer != nil else { throw seed.obstacle("the seed must be a whole number") }
            parameters.append(FlagObject.Member("seed", seed.value))
        } else {
            parameters += try Self.saltedKey(key, salt, rollout)
        }
        return try split(parameters, unit, ranges, rollout)
    }

    static func saltedKey(_ key: String, _ salt: String?, _ node: SourceNode) throws(Obstacle) -> [FlagObject.Member] {
        guard let salt else { throw node.obstacle("there is no salt") }
        return [FlagObject.Member("key", .string(key)), FlagObject.Member("salt", .string(salt))]
    }

    mutating func split(
        _ parameters: [FlagObject.Member], _ unit: LaunchDarklyAttribute, _ parts: [(weight: Int, result: FlagValue)],
        _ node: SourceNode
    ) throws(Obstacle) -> FlagValue {
        let maxWeight = 100_000
        var end = 0
        var ranges: [FlagValue] = []
        for part in parts {
            guard (0...maxWeight - end).contains(part.weight) else {
                throw node.obstacle("the weights must be from 0 to \(maxWeight), also their sum")
            }
            let start = end
            end += part.weight
            ranges.append([.number(FlagNumber(Int64(start))), .number(FlagNumber(Int64(end))), part.result])
        }
        return Logic.operation(
            "almanac.split",
            [Logic.object(parameters), attributes.variable(unit), .array(FlagArray(ranges))])
    }

    private static func haveOneType(_ left: FlagValue, _ right: FlagValue) -> Bool {
        switch (left, right) {
        case (.bool, .bool), (.string, .string), (.number, .number), (.object, .object): true
        default: false
        }
    }

    private static func shortText(_ value: FlagValue) -> String? {
        switch value {
        case .bool(let value): value ? "true" : "false"
        case .number(let number): number.text
        case .string(let text) where !text.isEmpty && text.utf8.count <= 40: text
        default: nil
        }
    }
}
