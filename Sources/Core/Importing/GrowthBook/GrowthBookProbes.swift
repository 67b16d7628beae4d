internal import AlmanacTargeting

/// The attributes that GrowthBook's conditions read, with values around the constants of the conditions.
struct GrowthBookProbes {
    private var values: [String: [FlagValue]] = [:]
    /// The objects at the top, by the name and the path inside.
    private var nested: [String: [(path: [String], values: [FlagValue])]] = [:]

    private static let others: [FlagValue] = [nil, true, 7, "", []]

    init(_ features: [FlagValue], _ groups: FlagObject) {
        values["id"] = ["", 0, 4711, 0.5, true] + (0..<400).map { .string("user-\($0 * 7919)") }
        for feature in features {
            let rules = feature.growthBookObject?["rules"]?.growthBookArray ?? []
            for rule in rules.compactMap({ $0.growthBookObject }) {
                addUnit(rule["hashAttribute"])
                for filter in rule["filters"]?.growthBookArray ?? [] { addUnit(filter.growthBookObject?["attribute"]) }
                if let condition = rule["condition"] { add(condition, groups) }
            }
        }
        for group in groups.members.compactMap({ $0.value.growthBookObject }) {
            if let condition = group["condition"] { add(condition, groups) }
            if let key = group["attributeKey"]?.growthBookText { add(key, group["values"] ?? .null, groups) }
        }
    }

    var probes: [AttributeProbe] {
        var values = values
        for (name, parts) in nested {
            for part in parts {
                for value in part.values { values[name, default: []].append(Self.object(part.path, value)) }
            }
        }
        return values.sorted { $0.key < $1.key }.map { AttributeProbe(name: $0.key, values: $0.value) }
    }

    private mutating func addUnit(_ attribute: FlagValue?) {
        guard let name = attribute?.growthBookText, values[name] == nil else { return }
        values[name] = ["", 0, 12, 0.5] + (0..<60).map { .string("unit \($0 * 31)") }
    }

    private mutating func add(_ condition: FlagValue, _ groups: FlagObject) {
        for member in condition.growthBookObject?.members ?? [] {
            switch member.name {
            case "$or", "$nor", "$and": for part in member.value.growthBookArray ?? [] { add(part, groups) }
            case "$not": add(member.value, groups)
            case "$savedGroup", "$savedGroups": break
            default: add(member.name, member.value, groups)
            }
        }
    }

    private mutating func add(_ name: String, _ condition: FlagValue, _ groups: FlagObject) {
        var found: [FlagValue] = []
        Self.collect(condition, groups, into: &found)
        let texts = found.flatMap { value -> [FlagValue] in
            switch value {
            case .string(let text):
                [value, [value], ["other", .string(text.uppercased())]]
                    + [text + "x", text.uppercased(), "v" + text, text + ".1", text + "-rc.1", text.lowercased()]
                    .map { .string($0) }
            case .number(let number):
                [value, .number(FlagNumber(number.double + 1)), .number(FlagNumber(number.double - 0.5)), [value]]
                    + [.string(number.text)]
            default: [value, [value]]
            }
        }
        let path = name.split(separator: ".").map { String($0) }
        guard let top = path.first else { return }
        if path.count == 1 {
            values[top, default: Self.others] += texts
        } else {
            nested[top, default: []].append((Array(path.dropFirst()), Self.others + texts))
        }
    }

    /// Collects constants: some elements of each list, and an array with several of them.
    private static func collect(_ condition: FlagValue, _ groups: FlagObject, into found: inout [FlagValue]) {
        switch condition {
        case .object(let object):
            for member in object.members {
                if member.name.hasSuffix("nGroup"), let id = member.value.growthBookText, let group = groups[id] {
                    collect(group.growthBookObject?["values"] ?? group, FlagObject(), into: &found)
                } else {
                    collect(member.value, groups, into: &found)
                    if !member.name.hasPrefix("$") {
                        found.append(.array([Self.object([member.name], found.last ?? .null)]))
                    }
                }
            }
        case .array(let elements):
            for element in elements.prefix(8) { collect(element, groups, into: &found) }
            found.append(.array(FlagArray(Array(elements.prefix(8)))))
        default: found.append(condition)
        }
    }

    private static func object(_ path: [String], _ value: FlagValue) -> FlagValue {
        path.reversed().reduce(value) { value, name in
            .object(FlagObject([FlagObject.Member(name, value)]) ?? FlagObject())
        }
    }
}
