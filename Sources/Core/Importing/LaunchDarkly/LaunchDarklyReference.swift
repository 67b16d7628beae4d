internal import AlmanacTargeting

/// LaunchDarkly's evaluation of its flags, as its server clients document it and do it.
///
/// A caller has a context of a kind if the key of that kind is given.
struct LaunchDarklyReference: SourceReference {
    private let flags: [String: Flag]
    let segments: [String: Segment]

    private struct Flag {
        let isOn: Bool
        let key: String
        let salt: String
        let variations: [FlagValue]
        let offVariation: Int?
        let prerequisites: [(key: String, variation: Int)]
        /// The keys of users by variation, in the order of the file.
        let userTargets: [(variation: Int, keys: Set<String>)]
        let contextTargets: [(kind: String, variation: Int, keys: Set<String>)]
        let rules: [(clauses: [Clause], serving: Serving)]
        let otherwise: Serving
    }

    /// A fixed variation, a rollout, or neither, which is an error of the flag.
    private struct Serving {
        let variation: Int?
        let rollout: Rollout?

        init(_ node: SourceNode?) {
            variation = node?["variation"]?.integer
            rollout = node?["rollout"].map { Rollout($0) }
        }
    }

    private struct Rollout {
        let seed: String?
        let unit: String
        let parts: [(variation: Int, weight: Double)]

        init(_ node: SourceNode) {
            seed = node["seed"]?.number?.text
            let kind = node["contextKind"]?.text
            let isExperiment = node["kind"]?.text == "experiment" || node["experimentAllocation"] != nil
            let reference = node["bucketBy"]?.text ?? ""
            unit = Clause.name(isExperiment || reference.isEmpty ? "key" : reference, kind) ?? ""
            parts = (node["variations"]?.elements ?? []).map { part in
                (part["variation"]?.integer ?? -1, part["weight"]?.number?.double ?? 0)
            }
        }
    }

    struct Segment {
        let key: String
        let salt: String
        let included: [(kind: String, keys: Set<String>)]
        let excluded: [(kind: String, keys: Set<String>)]
        let rules: [(clauses: [Clause], weight: Double?, kind: String, unit: String)]

        init(_ key: String, _ node: SourceNode) {
            self.key = key
            salt = node["salt"]?.text ?? ""
            func lists(_ users: String, _ contexts: String) -> [(String, Set<String>)] {
                [("user", LaunchDarklyReference.keys(node[users]))]
                    + (node[contexts]?.elements ?? []).map {
                        (LaunchDarklyReference.kind($0, "contextKind"), LaunchDarklyReference.keys($0["values"]))
                    }
            }
            included = lists("included", "includedContexts")
            excluded = lists("excluded", "excludedContexts")
            rules = (node["rules"]?.elements ?? []).map { rule in
                let kind = rule["rolloutContextKind"]?.text
                let reference = rule["bucketBy"]?.text ?? ""
                return (
                    Clause.clauses(rule), rule["weight"]?.number?.double,
                    LaunchDarklyReference.kind(rule, "rolloutContextKind"),
                    Clause.name(reference.isEmpty ? "key" : reference, kind) ?? ""
                )
            }
        }
    }

    init(_ files: LaunchDarklyFiles) {
        var flags: [String: Flag] = [:]
        for (key, node) in files.flags {
            guard let settings = files.settings(of: node) else { continue }
            flags[key] = Self.flag(key, node, settings)
        }
        self.flags = flags
        segments = files.segments.reduce(into: [:]) { $0[$1.key] = Segment($1.key, $1.value) }
    }

    private static func flag(_ key: String, _ node: SourceNode, _ settings: SourceNode) -> Flag {
        Flag(
            isOn: settings["on"]?.bool ?? false, key: key, salt: settings["salt"]?.text ?? "",
            variations: (node["variations"]?.elements ?? []).map { $0["value"]?.value ?? nil },
            offVariation: settings["offVariation"]?.integer,
            prerequisites: (settings["prerequisites"]?.elements ?? []).map {
                ($0["key"]?.text ?? "", $0["variation"]?.integer ?? -1)
            },
            userTargets: (settings["targets"]?.elements ?? []).map {
                ($0["variation"]?.integer ?? -1, keys($0["values"]))
            },
            contextTargets: (settings["contextTargets"]?.elements ?? []).map {
                (kind($0, "contextKind"), $0["variation"]?.integer ?? -1, keys($0["values"]))
            },
            rules: (settings["rules"]?.elements ?? []).filter { $0["disabled"]?.bool != true }.map {
                (Clause.clauses($0), Serving($0))
            },
            otherwise: Serving(settings["fallthrough"]))
    }

    private static func keys(_ node: SourceNode?) -> Set<String> { Set((node?.elements ?? []).compactMap(\.text)) }

    private static func kind(_ node: SourceNode, _ member: String) -> String {
        node[member]?.text.flatMap { $0.isEmpty ? nil : $0 } ?? "user"
    }

    var probes: [AttributeProbe] {
        var probes = Probes()
        for flag in flags.values {
            for target in flag.userTargets { probes.add(target.keys, to: "key") }
            for target in flag.contextTargets { probes.add(target.keys, toKeyOf: target.kind) }
            for rule in flag.rules { probes.add(rule.clauses) }
            for serving in flag.rules.map(\.serving) + [flag.otherwise] { probes.add(unit: serving.rollout?.unit) }
        }
        for segment in segments.values {
            for list in segment.included + segment.excluded { probes.add(list.keys, toKeyOf: list.kind) }
            for rule in segment.rules {
                probes.add(rule.clauses)
                probes.add(unit: rule.unit)
            }
        }
        return probes.sorted
    }

    func answer(_ flag: String, _ attributes: [String: FlagValue], now: Int64) -> SourceAnswer {
        guard let flag = flags[flag] else { return .none }
        guard let index = try? variation(of: flag, for: attributes, []), flag.variations.indices.contains(index) else {
            return .none
        }
        return flag.variations[index] == nil ? .none : .value(flag.variations[index])
    }

    /// A cycle or a malformed reference, for which the client returns the caller's default.
    private struct Malformed: Error {}

    /// Returns the index of a variation, or nil for the caller's default.
    ///
    /// - Parameter outer: The flags of which this one is a prerequisite.
    private func variation(
        of flag: Flag, for caller: [String: FlagValue], _ outer: [String]
    ) throws(Malformed) -> Int? {
        guard flag.isOn else { return flag.offVariation }
        for prerequisite in flag.prerequisites {
            let stack = outer + [flag.key]
            guard !stack.contains(prerequisite.key), stack.count < 100 else { throw Malformed() }
            guard let other = flags[prerequisite.key], other.isOn,
                try variation(of: other, for: caller, stack) == prerequisite.variation
            else { return flag.offVariation }
        }
        if let target = target(of: flag, for: caller) { return target }
        for rule in flag.rules where try hold(rule.clauses, for: caller, []) {
            return serve(rule.serving, flag, caller)
        }
        return serve(flag.otherwise, flag, caller)
    }

    private func target(of flag: Flag, for caller: [String: FlagValue]) -> Int? {
        // A list of users stands where its placeholder stands among the other lists, or else before them.
        for target in flag.userTargets where contains(target.keys, Clause.key(of: "user", in: caller)) {
            let isPlaced = flag.contextTargets.contains { $0.kind == "user" && $0.variation == target.variation }
            if !isPlaced { return target.variation }
        }
        for target in flag.contextTargets {
            let key = Clause.key(of: target.kind, in: caller)
            let keys =
                target.kind == "user"
                ? flag.userTargets.first { $0.variation == target.variation }?.keys ?? [] : target.keys
            if contains(keys, key) { return target.variation }
        }
        return nil
    }

    private func contains(_ keys: Set<String>, _ key: FlagValue?) -> Bool {
        if case .string(let text)? = key { keys.contains(text) } else { false }
    }

    private func serve(_ serving: Serving, _ flag: Flag, _ caller: [String: FlagValue]) -> Int? {
        if let variation = serving.variation { return variation }
        guard let rollout = serving.rollout, let last = rollout.parts.last else { return nil }
        let prefix = rollout.seed ?? "\(flag.key).\(flag.salt)"
        let share = Self.share(prefix, caller[rollout.unit])
        var sum = 0.0
        for part in rollout.parts {
            sum += part.weight / 100_000
            if share < sum { return part.variation }
        }
        return last.variation
    }

    /// Returns the place of a unit from 0 to 1. Only texts and whole numbers have one; others are at 0.
    private static func share(_ prefix: String, _ unit: FlagValue?) -> Double {
        let text: String
        switch unit {
        case .string(let value)?: text = value
        case .number(let number)? where number.isWrittenAsInteger:
            guard UInt64(number.text.drop { $0 == "-" }) != nil else { return 0 }
            text = number.text
        case .number(let number)?:
            guard let integer = Int(exactly: number.double) else { return 0 }
            text = "\(integer)"
        default: return 0
        }
        let words = Digest.sha1(Array("\(prefix).\(text)".utf8).span)
        // The first 15 hexadecimal digits of the digest.
        let hash = UInt64(words[0]) << 28 | UInt64(words[1]) >> 4
        return Double(hash) / Double(0xFFF_FFFF_FFFF_FFFF as UInt64)
    }

    private func hold(
        _ clauses: [Clause], for caller: [String: FlagValue], _ outer: [String]
    ) throws(Malformed) -> Bool {
        for clause in clauses where try !holds(clause, for: caller, outer) { return false }
        return true
    }

    private func holds(
        _ clause: Clause, for caller: [String: FlagValue], _ outer: [String]
    ) throws(Malformed) -> Bool {
        guard clause.operation == "segmentMatch" else {
            if clause.name == nil, Clause.key(of: clause.kind, in: caller) != nil { throw Malformed() }
            return clause.holds(for: caller)
        }
        for case .string(let key) in clause.values {
            guard let segment = segments[key] else { continue }
            guard !outer.contains(key), outer.count < 100 else { throw Malformed() }
            if try contains(segment, caller, outer + [key]) { return !clause.isNegated }
        }
        return clause.isNegated
    }

    private func contains(
        _ segment: Segment, _ caller: [String: FlagValue], _ outer: [String]
    ) throws(Malformed) -> Bool {
        func isListed(_ lists: [(kind: String, keys: Set<String>)]) -> Bool {
            lists.contains { contains($0.keys, Clause.key(of: $0.kind, in: caller)) }
        }
        if isListed(segment.included) { return true }
        if isListed(segment.excluded) { return false }
        for rule in segment.rules where try hold(rule.clauses, for: caller, outer) {
            guard let weight = rule.weight else { return true }
            guard Clause.key(of: rule.kind, in: caller) != nil else { continue }
            if Self.share("\(segment.key).\(segment.salt)", caller[rule.unit]) < weight / 100_000 { return true }
        }
        return false
    }
}
