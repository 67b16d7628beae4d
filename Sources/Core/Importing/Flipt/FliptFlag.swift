internal import AlmanacTargeting

/// A translator of one flag of Flipt.
struct FliptFlag {
    private let source: String
    private let node: SourceNode
    private let isEnabled: Bool
    /// The cases in which the translated flag differs.
    private(set) var clauses: [String] = []
    private var noted: Set<String> = []

    /// A reader of the segments that a rule names. It returns a condition, and the cases in which that differs.
    typealias Condition = (SourceNode) throws(Obstacle) -> (rule: FlagValue, clauses: [String])

    init(_ source: String, _ node: SourceNode) throws(Obstacle) {
        (self.source, self.node) = (source, node)
        isEnabled = try node.bool("enabled")
    }

    mutating func flag(as key: String, _ condition: Condition) throws(Obstacle) -> ImportedFlag {
        var members: [FlagObject.Member]
        switch try node.text("type") ?? "VARIANT_FLAG_TYPE" {
        case "VARIANT_FLAG_TYPE": members = try variantFlag(condition)
        case "BOOLEAN_FLAG_TYPE": members = try booleanFlag(condition)
        case let type: throw node.obstacle("the type \"\(type)\" is unknown")
        }
        var metadata: [FlagObject.Member] = []
        for (name, node) in node["metadata"]?.members ?? [] where !name.hasPrefix("almanac.") {
            switch node.value {
            case .bool, .number, .string: metadata.append(FlagObject.Member(name, node.value))
            default: break
            }
        }
        if let off = members.first(where: { $0.name == "defaultVariant" }), !isEnabled, members[0].value == "DISABLED" {
            metadata.append(FlagObject.Member("almanac.off", off.value))
        }
        if !metadata.isEmpty { members.append(FlagObject.Member("metadata", Logic.object(metadata))) }
        let description = try node.text("description").flatMap { $0.isEmpty ? nil : $0 }
        return ImportedFlag(
            key: key, source: source, definition: FlagObject(members) ?? FlagObject(), description: description)
    }

    private mutating func variantFlag(_ condition: Condition) throws(Obstacle) -> [FlagObject.Member] {
        let variants = try variants()
        var members = [
            FlagObject.Member("state", isEnabled ? "ENABLED" : "DISABLED"),
            FlagObject.Member("variants", Logic.object(variants.members)),
        ]
        if let name = variants.fallback { members.append(FlagObject.Member("defaultVariant", .string(name))) }
        var (branches, lastRank): ([FlagValue], Double) = ([], 0)
        for rule in try node.list("rules") {
            let rank = rule["rank"]?.number?.double ?? lastRank
            guard rank >= lastRank else { throw rule.obstacle("the ranks of the rules are out of order") }
            lastRank = rank
            branches += [try self.condition(rule, condition), try result(rule, Set(variants.members.map { $0.name }))]
        }
        if !branches.isEmpty { members.append(FlagObject.Member("targeting", Logic.operation("if", branches))) }
        return members
    }

    private mutating func condition(_ rule: SourceNode, _ condition: Condition) throws(Obstacle) -> FlagValue {
        let result = try condition(rule)
        for clause in result.clauses { note(clause) }
        return result.rule
    }

    private mutating func note(_ clause: String) { if noted.insert(clause).inserted { clauses.append(clause) } }

    /// Returns the variants: their attachments, which are objects, or their keys if no variant has an attachment.
    private func variants() throws(Obstacle) -> (members: [FlagObject.Member], fallback: String?) {
        let nodes = try node.list("variants")
        let haveAttachments = nodes.contains { $0["attachment"] != nil }
        var (members, fallback, keys): ([FlagObject.Member], String?, Set<String>) = ([], nil, [])
        for variant in nodes {
            let key = try variant.text("key") ?? ""
            guard !key.isEmpty else { throw variant.obstacle("a variant needs a key") }
            guard keys.insert(key).inserted else {
                throw variant.obstacle("two variants have the key \"\(key)\"")
            }
            if try variant.bool("default") { fallback = key }
            guard haveAttachments else {
                members.append(FlagObject.Member(key, .string(key)))
                continue
            }
            let attachment = variant["attachment"]
            guard attachment == nil || attachment?.object != nil else {
                throw variant.obstacle("the attachment of a variant must be an object")
            }
            members.append(FlagObject.Member(key, attachment?.value ?? .object(FlagObject())))
        }
        guard !members.isEmpty else { throw node.obstacle("the flag has no variants") }
        return (members, fallback)
    }

    /// Returns the split of a rule, or null for the default variant if the rule has no shares.
    private mutating func result(_ rule: SourceNode, _ variants: Set<String>) throws(Obstacle) -> FlagValue {
        var shares: [(key: String, share: Float)] = []
        for node in try rule.list("distributions") {
            guard let key = try node.text("variant"), variants.contains(key) else {
                throw node.obstacle("a distribution needs a variant of the flag")
            }
            let share = Float(node["rollout"].map { $0.number?.double ?? .nan } ?? 0)
            guard (0...100).contains(share) else { throw node.obstacle("a rollout must be a percentage") }
            // Single precision reads a tiny share as 0.
            if share > 0 { shares.append((key, share)) }
        }
        if shares.isEmpty { return nil }
        if shares.count == 1 { return .string(shares[0].key) }
        let ends = Self.ends(shares.map { $0.share })
        let serverEnds = Self.serverEnds(shares.map { $0.share })
        if ends != serverEnds {
            note("an app asks Flipt's server, which rounds these shares otherwise than Flipt's clients")
        }
        var (from, ranges): (Int64, [FlagValue]) = (0, [])
        for (share, end) in zip(shares, ends) {
            guard end > from || (from == 0 && end == 0) else {
                throw rule.obstacle("the share of \"\(share.key)\" is too small for Flipt's 1,000 buckets")
            }
            if end > from { ranges.append([.number(FlagNumber(from)), .number(FlagNumber(end)), .string(share.key)]) }
            from = end
        }
        return Logic.operation(
            "almanac.split", [scheme("flipt"), Logic.variable(["targetingKey"]), .array(FlagArray(ranges))])
    }

    /// Returns the ends of the shares in 1,000 buckets, in single precision as Flipt's clients compute them.
    static func ends(_ shares: [Float]) -> [Int64] {
        let total = shares.reduce(0, +)
        var sum: Float = 0
        var ends = shares.map { share -> Int64 in
            sum += share / total * 100
            return Int64((sum * 10).rounded())
        }
        ends[ends.count - 1] = 1000
        return ends
    }

    /// Returns the ends as Flipt's server computes them: without the rest of each share, and without scaling.
    private static func serverEnds(_ shares: [Float]) -> [Int64] {
        var end: Int64 = 0
        return shares.map { share in
            end += Int64(share * 10)
            return end
        }
    }

    private func scheme(_ name: String) -> FlagValue {
        Logic.object([
            FlagObject.Member("scheme", .string(name)), FlagObject.Member("flagKey", .string(source)),
        ])
    }

    private mutating func booleanFlag(_ condition: Condition) throws(Obstacle) -> [FlagObject.Member] {
        var branches: [FlagValue] = []
        for rollout in try node.list("rollouts") {
            if let threshold = rollout["threshold"] {
                let percentage = threshold["percentage"].map { $0.number?.double ?? .nan } ?? 0
                guard (0...100).contains(percentage) else { throw threshold.obstacle("a threshold needs a percentage") }
                let end = Int64(Float(percentage).rounded(.up))
                let ranges: FlagValue = [[0, .number(FlagNumber(end)), true]]
                let split = Logic.operation(
                    "almanac.split", [scheme("flipt-threshold"), Logic.variable(["targetingKey"]), ranges])
                branches += [split, try threshold.bool("value") ? "on" : "off"]
            } else if rollout["segment"] != nil || rollout["segments"] != nil {
                let segment = rollout["segment"] ?? rollout
                branches += [try self.condition(rollout, condition), try segment.bool("value") ? "on" : "off"]
            } else {
                throw rollout.obstacle("a rollout needs a threshold or a segment")
            }
        }
        var members = [
            FlagObject.Member("state", "ENABLED"),
            FlagObject.Member(
                "variants", Logic.object([FlagObject.Member("on", true), FlagObject.Member("off", false)])),
            FlagObject.Member("defaultVariant", isEnabled ? "on" : "off"),
        ]
        if !branches.isEmpty { members.append(FlagObject.Member("targeting", Logic.operation("if", branches))) }
        return members
    }
}
