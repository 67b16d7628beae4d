internal import AlmanacTargeting

/// GrowthBook's evaluation of its features, after its client for Python and its specification 0.11.
struct GrowthBookReference: SourceReference {
    let probes: [AttributeProbe]
    private let features: [[UInt8]: Feature]
    private let groups: FlagObject

    private struct Feature {
        let value: FlagValue
        let rules: [FlagObject]
    }

    /// The number of prerequisites behind each other that are followed.
    private static let maxDepth = 100

    init(_ file: FlagValue) {
        let root = file.growthBookObject
        let members = root?["features"]?.growthBookObject?.members ?? []
        groups = root?["savedGroups"]?.growthBookObject ?? FlagObject()
        var features: [[UInt8]: Feature] = [:]
        for member in members {
            let rules = member.value.growthBookObject?["rules"]?.growthBookArray ?? []
            features[Array(member.name.utf8)] = Feature(
                value: member.value.growthBookObject?["defaultValue"] ?? .null,
                rules: rules.compactMap { $0.growthBookObject })
        }
        self.features = features
        probes = GrowthBookProbes(members.map { $0.value }, groups).probes
    }

    func answer(_ flag: String, _ attributes: [String: FlagValue], now: Int64) -> SourceAnswer {
        let user = FlagObject(attributes.map { FlagObject.Member($0.key, $0.value) }) ?? FlagObject()
        var evaluation = GrowthBookEvaluation(groups: groups)
        let result = value(of: flag, user, after: [], &evaluation)
        // An evaluation without an end has no answer.
        guard evaluation.stepsLeft > 0, let value = result, value != .null else { return .none }
        return .value(value)
    }

    /// Returns the value of a feature, or nil if its prerequisites form a cycle.
    private func value(
        of key: String, _ user: FlagObject, after visited: [String], _ evaluation: inout GrowthBookEvaluation
    ) -> FlagValue? {
        guard let feature = features[Array(key.utf8)] else { return .null }
        guard evaluation.takeStep() else { return nil }
        if visited.contains(key) || visited.count > Self.maxDepth { return nil }
        rules: for rule in feature.rules {
            for parent in rule["parentConditions"]?.growthBookArray ?? [] {
                guard let parent = parent.growthBookObject, let id = parent["id"]?.growthBookText else { continue }
                guard let value = value(of: id, user, after: visited + [key], &evaluation) else { return nil }
                let object = FlagObject([FlagObject.Member("value", value)]) ?? FlagObject()
                guard let condition = parent["condition"], condition != .null else { continue }
                if evaluation.holds(condition, .object(object)) { continue }
                if parent["gate"] == true { return .null }
                continue rules
            }
            if let condition = rule["condition"], condition != .null, !evaluation.holds(condition, .object(user)) {
                continue
            }
            if isFilteredOut(rule, user) { continue }
            if let force = rule["force"], force != .null {
                if isInRollout(rule, key, user) { return force }
            } else if let value = variation(rule, key, user) {
                return value
            }
        }
        return feature.value
    }

    private func isFilteredOut(_ rule: FlagObject, _ user: FlagObject) -> Bool {
        for filter in (rule["filters"]?.growthBookArray ?? []).compactMap({ $0.growthBookObject }) {
            guard
                let number = hash(
                    filter["seed"]?.growthBookText ?? "", user[filter["attribute"]?.growthBookText ?? "id"],
                    version: filter["hashVersion"]?.growthBookNumber ?? 2)
            else { return true }
            let ranges = filter["ranges"]?.growthBookArray ?? []
            if !ranges.contains(where: { Self.contains($0, number) }) { return true }
        }
        return false
    }

    private func isInRollout(_ rule: FlagObject, _ key: String, _ user: FlagObject) -> Bool {
        let coverage = rule["coverage"]?.growthBookNumber
        let range = rule["range"].flatMap { $0 == .null ? .none : .some($0) }
        if coverage == nil, range == nil { return true }
        if coverage == 0, range == nil { return false }
        guard let number = hash(seed(rule, key), unit(rule, user), version: version(rule)) else { return false }
        if let range { return Self.contains(range, number) }
        return number <= coverage ?? 1
    }

    /// Returns the value of the caller's variation, or nil if the caller is not in the experiment.
    private func variation(_ rule: FlagObject, _ key: String, _ user: FlagObject) -> FlagValue? {
        let variations = rule["variations"]?.growthBookArray ?? []
        let experiment = rule["key"]?.growthBookText.flatMap { $0.isEmpty ? nil : $0 } ?? key
        guard variations.count > 1, let unit = unit(rule, user) else { return nil }
        if rule["filters"]?.growthBookArray?.isEmpty ?? true, let space = rule["namespace"]?.growthBookArray,
            space.count == 3
        {
            guard let number = hash("__" + (space[0].growthBookText ?? ""), unit, version: 1),
                Self.contains([space[1], space[2]], number)
            else { return nil }
        }
        guard let number = hash(seed(rule, experiment), unit, version: version(rule)) else { return nil }
        guard let index = ranges(rule, variations.count).firstIndex(where: { Self.contains($0, number) }) else {
            return nil
        }
        let meta = rule["meta"]?.growthBookArray ?? []
        if meta.indices.contains(index), meta[index].growthBookObject?["passthrough"] == true { return nil }
        return variations.indices.contains(index) ? variations[index] : nil
    }

    private func ranges(_ rule: FlagObject, _ count: Int) -> [FlagValue] {
        if let ranges = rule["ranges"]?.growthBookArray, !ranges.isEmpty { return Array(ranges) }
        var weights = (rule["weights"]?.growthBookArray ?? []).compactMap { $0.growthBookNumber }
        let sum = weights.reduce(0, +)
        if weights.count != count || sum < 0.99 || sum > 1.01 {
            weights = (0..<count).map { _ in 1 / Double(count) }
        }
        let coverage = min(1, max(0, rule["coverage"]?.growthBookNumber ?? 1))
        var start = 0.0
        return weights.map { weight in
            defer { start += weight }
            return [.number(FlagNumber(start)), .number(FlagNumber(start + coverage * weight))]
        }
    }

    private func seed(_ rule: FlagObject, _ other: String) -> String {
        rule["seed"]?.growthBookText.flatMap { $0.isEmpty ? nil : $0 } ?? other
    }

    private func version(_ rule: FlagObject) -> Double { rule["hashVersion"]?.growthBookNumber ?? 1 }

    private func unit(_ rule: FlagObject, _ user: FlagObject) -> FlagValue? {
        user[rule["hashAttribute"]?.growthBookText ?? "id"]
    }

    /// Returns a number from 0 to 1 for a unit, or nil if the value is no unit.
    private func hash(_ seed: String, _ unit: FlagValue?, version: Double) -> Double? {
        let text: String
        switch unit {
        case .string(let unit)? where !unit.isEmpty: text = unit
        case .number(let number)? where number.double != 0:
            text = Int64(exactly: number.double).map { $0.description } ?? number.double.description
        default: return nil
        }
        switch version {
        case 1: return Double(Checksums.fnv1a((text + seed).utf16) % 1000) / 1000
        case 2:
            let first = Checksums.fnv1a((seed + text).utf16)
            return Double(Checksums.fnv1a(first.description.utf16) % 10_000) / 10_000
        default: return nil
        }
    }

    private static func contains(_ range: FlagValue, _ number: Double) -> Bool {
        guard let ends = range.growthBookArray, ends.count == 2, let from = ends[0].growthBookNumber,
            let to = ends[1].growthBookNumber
        else { return false }
        return from <= number && number < to
    }
}

extension FlagValue {
    var growthBookObject: FlagObject? { if case .object(let object) = self { object } else { nil } }
    var growthBookArray: FlagArray? { if case .array(let array) = self { array } else { nil } }
    var growthBookText: String? { if case .string(let text) = self { text } else { nil } }
    var growthBookNumber: Double? { if case .number(let number) = self { number.double } else { nil } }
}
