internal import AlmanacTargeting

/// An evaluation of GrowthBook's conditions.
struct GrowthBookEvaluation {
    let groups: FlagObject
    /// The remaining number of comparisons and features, because groups and prerequisites can take exponential time.
    private(set) var stepsLeft = 50_000
    private var visited: [String] = []

    init(groups: FlagObject) { self.groups = groups }

    /// Returns false if no step is left.
    mutating func takeStep() -> Bool {
        stepsLeft -= 1
        return stepsLeft > 0
    }

    mutating func holds(_ condition: FlagValue, _ attributes: FlagValue) -> Bool {
        guard takeStep(), let members = condition.growthBookObject?.members else { return false }
        return members.allSatisfy { member in
            switch member.name {
            case "$or": return anyHolds(member.value, attributes)
            case "$nor": return !anyHolds(member.value, attributes)
            case "$and": return (member.value.growthBookArray ?? []).allSatisfy { holds($0, attributes) }
            case "$not": return !holds(member.value, attributes)
            case "$savedGroup": return isInGroup(member.value, attributes)
            case "$savedGroups": return false
            default: return meets(member.value, Self.value(at: member.name, in: attributes))
            }
        }
    }

    private mutating func anyHolds(_ list: FlagValue, _ attributes: FlagValue) -> Bool {
        let conditions = list.growthBookArray ?? []
        return conditions.isEmpty || conditions.contains { holds($0, attributes) }
    }

    private mutating func isInGroup(_ reference: FlagValue, _ attributes: FlagValue) -> Bool {
        guard let reference = reference.growthBookObject, let id = reference["id"]?.growthBookText,
            !visited.contains(id), let group = groups[id]?.growthBookObject
        else { return false }
        switch group["type"]?.growthBookText {
        case "list":
            guard let key = (reference["attributeKey"] ?? group["attributeKey"])?.growthBookText,
                let values = group["values"]?.growthBookArray
            else { return false }
            return Self.isIn(values, Self.value(at: key, in: attributes))
        case "condition":
            visited.append(id)
            defer { visited.removeLast() }
            return holds(group["condition"] ?? .null, attributes)
        default: return false
        }
    }

    private static func value(at path: String, in attributes: FlagValue) -> FlagValue {
        path.split(separator: ".", omittingEmptySubsequences: false).reduce(attributes) { value, name in
            switch value {
            case .object(let object): object[String(name)] ?? .null
            case .array(let elements):
                Int(name).flatMap { elements.indices.contains($0) && "\($0)" == name ? elements[$0] : nil } ?? .null
            default: .null
            }
        }
    }

    private mutating func meets(_ condition: FlagValue, _ value: FlagValue, ignoresCase: Bool = false) -> Bool {
        guard takeStep() else { return false }
        if let members = condition.growthBookObject?.members, members.allSatisfy({ $0.name.hasPrefix("$") }) {
            return members.allSatisfy { meets($0.name, $0.value, value) }
        }
        if ignoresCase, let left = condition.growthBookText, let right = value.growthBookText {
            return left.lowercased() == right.lowercased()
        }
        return condition == value
    }

    private mutating func meets(_ name: String, _ constant: FlagValue, _ value: FlagValue) -> Bool {
        switch name {
        case "$eq": return Self.isSame(constant, value)
        case "$ne": return !Self.isSame(constant, value)
        case "$lt": return Self.order(value, constant).map { $0 < 0 } ?? false
        case "$lte": return Self.order(value, constant).map { $0 <= 0 } ?? false
        case "$gt": return Self.order(value, constant).map { $0 > 0 } ?? false
        case "$gte": return Self.order(value, constant).map { $0 >= 0 } ?? false
        case "$veq": return Self.versionOrder(value, constant) == 0
        case "$vne": return Self.versionOrder(value, constant) != 0
        case "$vlt": return Self.versionOrder(value, constant).map { $0 < 0 } ?? false
        case "$vlte": return Self.versionOrder(value, constant).map { $0 <= 0 } ?? false
        case "$vgt": return Self.versionOrder(value, constant).map { $0 > 0 } ?? false
        case "$vgte": return Self.versionOrder(value, constant).map { $0 >= 0 } ?? false
        case "$in", "$nin", "$ini", "$nini":
            guard let list = constant.growthBookArray else { return false }
            return Self.isIn(list, value, ignoresCase: name.hasSuffix("i")) != name.hasPrefix("$n")
        case "$inGroup", "$notInGroup":
            let group = constant.growthBookText.flatMap { groups[$0] }
            let list = group?.growthBookArray ?? group?.growthBookObject?["values"]?.growthBookArray ?? []
            return Self.isIn(list, value) != name.hasPrefix("$n")
        case "$regex", "$regexi": return Self.matches(value, constant, ignoresCase: name.hasSuffix("i"))
        case "$notRegex", "$notRegexi": return !Self.matches(value, constant, ignoresCase: name.hasSuffix("i"))
        case "$exists": return (value != .null) == (constant == true)
        case "$type": return constant == .string(Self.type(of: value))
        case "$not": return !meets(constant, value)
        case "$size":
            guard let elements = value.growthBookArray else { return false }
            return meets(constant, .number(FlagNumber(Int64(elements.count))))
        case "$all", "$alli":
            guard let list = constant.growthBookArray, let elements = value.growthBookArray else { return false }
            return list.allSatisfy { wanted in
                elements.contains { meets(wanted, $0, ignoresCase: name == "$alli") }
            }
        case "$elemMatch":
            let members = constant.growthBookObject?.members ?? []
            let ofConditions: Set<String> = ["$or", "$nor", "$and", "$savedGroup"]
            let isOnValue = members.allSatisfy { $0.name.hasPrefix("$") && !ofConditions.contains($0.name) }
            return (value.growthBookArray ?? []).contains { element in
                element != .null && (isOnValue ? meets(constant, element) : holds(constant, element))
            }
        default: return false
        }
    }

    private static func isSame(_ left: FlagValue, _ right: FlagValue) -> Bool {
        switch left {
        case .array, .object: false
        default: left == right
        }
    }

    private static func isIn(_ list: FlagArray, _ value: FlagValue, ignoresCase: Bool = false) -> Bool {
        func folded(_ value: FlagValue) -> FlagValue {
            ignoresCase ? value.growthBookText.map { .string($0.lowercased()) } ?? value : value
        }
        let elements = value.growthBookArray ?? [value]
        return elements.contains { element in list.contains { isSame(folded($0), folded(element)) } }
    }

    /// Returns the order of two numbers or two texts; nil for other values.
    private static func order(_ left: FlagValue, _ right: FlagValue) -> Int? {
        switch (left, right) {
        case (.number(let left), .number(let right)):
            return left.double < right.double ? -1 : left.double > right.double ? 1 : 0
        case (.string(let left), .string(let right)): return order(left, right)
        default: return nil
        }
    }

    /// Returns the order of two texts by their UTF-16 units.
    private static func order(_ left: String, _ right: String) -> Int {
        if left.utf16.lexicographicallyPrecedes(right.utf16) { return -1 }
        return right.utf16.lexicographicallyPrecedes(left.utf16) ? 1 : 0
    }

    private static func versionOrder(_ left: FlagValue, _ right: FlagValue) -> Int? {
        guard let left = left.growthBookText, let right = right.growthBookText else { return nil }
        return order(padded(left), padded(right))
    }

    private static func padded(_ version: String) -> String {
        var rest = Substring(version.isEmpty ? "0" : version)
        if rest.hasPrefix("v") { rest = rest.dropFirst() }
        rest = rest.prefix { $0 != "+" }
        var parts = rest.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "-" }.map { String($0) }
        if parts.count == 3 { parts.append("~") }
        return parts.map { part in
            let isNumber = !part.isEmpty && part.allSatisfy { ("0"..."9").contains($0) }
            return isNumber && part.count < 5 ? String(repeating: " ", count: 5 - part.count) + part : part
        }.joined(separator: "-")
    }

    private static func matches(_ value: FlagValue, _ pattern: FlagValue, ignoresCase: Bool) -> Bool {
        guard let text = value.growthBookText, let pattern = pattern.growthBookText,
            let pattern = SourcePattern(ignoresCase ? "(?i)" + pattern : pattern)
        else { return false }
        return pattern.finds(in: text)
    }

    private static func type(of value: FlagValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
