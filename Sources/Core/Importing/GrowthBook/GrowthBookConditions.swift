internal import AlmanacTargeting

/// The conditions of GrowthBook, which have the form of MongoDB's queries, as rules.
///
/// Values of different types are never equal and have no order, as in GrowthBook's specification 0.11. A missing
/// attribute counts as null.
struct GrowthBookConditions {
    private(set) var attributes = AttributeTable(unit: "id")
    private(set) var sharedRules: [FlagObject.Member] = []
    private let groups: SourceNode?
    /// The names of the shared rules, by what they test.
    private var names: [[String]: String] = [:]
    private var taken = UniqueNames()
    /// The cases in which the conditions differ that were read since the last reset, and those of each shared rule.
    private(set) var differences: [String] = []
    private var sharedDifferences: [[String]: [String]] = [:]
    /// The groups that are being read, which refer to each other.
    private var visited: [String] = []

    /// The names and indices before a name of an attribute, or nil for the attributes of the caller.
    typealias Base = [String]?

    private static let maxGroupDepth = 30
    private static let relations = ["$lt": "<", "$lte": "<=", "$gt": ">", "$gte": ">="]
    private static let versionRelations = [
        "$veq": "=", "$vne": "!=", "$vlt": "<", "$vlte": "<=", "$vgt": ">", "$vgte": ">=",
    ]

    init(groups: SourceNode?) { self.groups = groups }

    mutating func note(_ difference: String) {
        if !differences.contains(difference) { differences.append(difference) }
    }

    mutating func resetDifferences() { differences = [] }

    mutating func variable(_ attribute: String) -> FlagValue { Logic.variable(attributes.path(of: attribute)) }

    private mutating func unusedName(_ wanted: String) -> String { taken.add(wanted, separator: " ") }

    /// Adds a shared rule, unless it is there, and returns a reference to it.
    ///
    /// - Parameters:
    ///   - identity: The texts that identify the rule.
    ///   - name: The name, if no other rule has it.
    mutating func shared(
        _ identity: [String], name: String, _ rule: (inout GrowthBookConditions) throws(Obstacle) -> FlagValue
    ) throws(Obstacle) -> FlagValue {
        if let name = names[identity] {
            sharedDifferences[identity]?.forEach { note($0) }
            return Logic.shared(name)
        }
        let outer = differences
        differences = []
        let rule = try rule(&self)
        sharedDifferences[identity] = differences
        differences = outer
        sharedDifferences[identity]?.forEach { note($0) }
        let unused = unusedName(name)
        names[identity] = unused
        sharedRules.append(FlagObject.Member(unused, Logic.operation("!!", [rule])))
        return Logic.shared(unused)
    }

    /// Adds a shared rule that yields the text that GrowthBook hashes for an attribute, and returns a reference to it.
    /// The rule yields null for 0, an empty text, and a value that is neither a text nor a number.
    mutating func unit(_ attribute: String) -> FlagValue {
        let identity = ["unit", attribute]
        if let name = names[identity] { return Logic.shared(name) }
        let value = variable(attribute)
        let name = unusedName("GrowthBook \(attribute)")
        names[identity] = name
        let isUnit = Logic.all([value, Logic.any([Logic.isText(value), Logic.isNumber(value)])])
        sharedRules.append(
            FlagObject.Member(name, Logic.operation("if", [isUnit, Logic.operation("cat", [value]), nil])))
        return Logic.shared(name)
    }

    /// Returns a rule that is true if the attributes meet a condition.
    mutating func rule(_ condition: SourceNode, _ base: Base = nil) throws(Obstacle) -> FlagValue {
        guard let members = condition.members else { throw condition.obstacle("a condition must be an object") }
        var rules: [FlagValue] = []
        for (name, part) in members {
            switch name {
            case "$or": rules.append(try any(part, base))
            case "$nor": rules.append(Logic.not(try any(part, base)))
            case "$and":
                for element in try conditions(part) { rules.append(try rule(element, base)) }
            case "$not": rules.append(Logic.not(try rule(part, base)))
            case "$savedGroup": rules.append(try membership(part, base))
            case "$savedGroups": throw part.obstacle("the operator $savedGroups is unknown")
            default: rules.append(try comparison(part, Logic.variable(try path(name, part, base))))
            }
        }
        return Logic.all(rules)
    }

    private mutating func any(_ list: SourceNode, _ base: Base) throws(Obstacle) -> FlagValue {
        var rules: [FlagValue] = []
        for element in try conditions(list) { rules.append(try rule(element, base)) }
        // GrowthBook takes an empty list as met.
        return rules.isEmpty ? true : Logic.any(rules)
    }

    private func conditions(_ list: SourceNode) throws(Obstacle) -> [SourceNode] {
        guard let elements = list.elements else { throw list.obstacle("expected an array of conditions") }
        return elements
    }

    private mutating func path(_ name: String, _ part: SourceNode, _ base: Base) throws(Obstacle) -> [String] {
        let names = name.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
        guard names.allSatisfy({ !$0.isEmpty }), !names.dropFirst().contains("length"), names[0] != "$flagd" else {
            throw part.obstacle("the attribute's name \"\(name)\" has another meaning in Almanac")
        }
        if let base { return base + names }
        return attributes.path(of: names[0]) + names.dropFirst()
    }

    /// Returns a rule that is true if a value meets a condition on it.
    private mutating func comparison(
        _ condition: SourceNode, _ value: FlagValue, ignoresCase: Bool = false
    ) throws(Obstacle) -> FlagValue {
        switch condition.value {
        case .object(let object):
            guard !object.members.isEmpty, object.members.allSatisfy({ $0.name.hasPrefix("$") }) else {
                throw condition.obstacle("a comparison with an object cannot be kept")
            }
            var rules: [FlagValue] = []
            for (name, part) in condition.members ?? [] { rules.append(try operation(name, part, value)) }
            return Logic.all(rules)
        case .array:
            return Logic.equal(value, try list(condition))
        case .string(let text) where ignoresCase:
            return Logic.equal(lowered(value), .string(text.lowercased()))
        default: return Logic.equal(value, condition.value)
        }
    }

    private mutating func operation(
        _ name: String, _ constant: SourceNode, _ value: FlagValue
    ) throws(Obstacle) -> FlagValue {
        switch name {
        case "$eq": return isScalar(constant) ? Logic.equal(value, constant.value) : false
        case "$ne": return isScalar(constant) ? Logic.not(Logic.equal(value, constant.value)) : true
        case "$lt", "$lte", "$gt", "$gte": return order(Self.relations[name] ?? "", constant, value)
        case "$veq", "$vne", "$vlt", "$vlte", "$vgt", "$vgte":
            guard constant.text != nil else { throw constant.obstacle("a version must be a text") }
            let relation = name == "$vne" ? "=" : Self.versionRelations[name] ?? ""
            let test = Logic.operation("almanac.padded", [value, .string(relation), constant.value])
            return name == "$vne" ? Logic.not(test) : test
        case "$in": return try isIn(value, constant)
        case "$nin": return Logic.not(try isIn(value, constant))
        case "$ini": return try isIn(value, constant, ignoresCase: true)
        case "$nini": return Logic.not(try isIn(value, constant, ignoresCase: true))
        case "$inGroup": return try group(constant, value)
        case "$notInGroup": return Logic.not(try group(constant, value))
        case "$regex", "$regexi": return try matches(value, constant, ignoresCase: name == "$regexi")
        case "$notRegex", "$notRegexi":
            return Logic.not(try matches(value, constant, ignoresCase: name == "$notRegexi"))
        case "$exists":
            guard let exists = constant.bool else { throw constant.obstacle("expected true or false") }
            return exists ? Logic.not(Logic.isMissing(value)) : Logic.isMissing(value)
        case "$type": return try isOfType(value, constant)
        case "$not": return Logic.not(try comparison(constant, value))
        case "$size":
            guard case .object(let object) = value, case .string(let path)? = object["var"] else {
                throw constant.obstacle("the size of a size cannot be kept")
            }
            return Logic.all([isArray(value), try comparison(constant, Logic.variable([path, "length"]))])
        case "$all", "$alli": return try hasAll(value, constant, ignoresCase: name == "$alli")
        case "$elemMatch": return try hasMatch(value, constant)
        default: throw constant.obstacle("the operator \(name) is unknown")
        }
    }

    private func order(_ relation: String, _ constant: SourceNode, _ value: FlagValue) -> FlagValue {
        let test = Logic.operation(relation, [value, constant.value])
        return switch constant.value {
        case .number: Logic.all([Logic.isNumber(value), test])
        case .string: Logic.all([Logic.isText(value), test])
        default: false
        }
    }

    /// Returns a rule that is true if the value is in a list, or if an element of the value, which is an array, is.
    private func isIn(
        _ value: FlagValue, _ list: SourceNode, ignoresCase: Bool = false
    ) throws(Obstacle) -> FlagValue {
        guard list.elements != nil else { return false }
        let list = try self.list(list)
        return Logic.any([member(value, list, ignoresCase), anyElement(of: value) { member($0, list, ignoresCase) }])
    }

    private func member(_ value: FlagValue, _ list: FlagValue, _ ignoresCase: Bool) -> FlagValue {
        guard ignoresCase, case .array(let elements) = list else { return Logic.operation("in", [value, list]) }
        var texts: [FlagValue] = []
        var others: [FlagValue] = []
        for element in elements {
            if case .string(let text) = element {
                texts.append(.string(text.lowercased()))
            } else {
                others.append(element)
            }
        }
        let isText = Logic.operation("in", [lowered(value), .array(FlagArray(texts))])
        return others.isEmpty
            ? isText : Logic.any([isText, Logic.operation("in", [value, .array(FlagArray(others))])])
    }

    /// Returns the value of a list, unless it has arrays or objects, which are equal to nothing in some clients.
    private func list(_ node: SourceNode) throws(Obstacle) -> FlagValue {
        guard node.elements?.allSatisfy({ isScalar($0) }) ?? false else {
            throw node.obstacle("a comparison with arrays in arrays, or with objects, cannot be kept")
        }
        return node.value
    }

    /// Returns a rule that is true if the value is an array, and a rule is true for an element.
    private func anyElement(of value: FlagValue, _ test: (FlagValue) -> FlagValue) -> FlagValue {
        let found = Logic.any([Logic.variable(["accumulator"]), test(Logic.variable(["current"]))])
        return Logic.operation("reduce", [value, found, false])
    }

    private mutating func hasAll(
        _ value: FlagValue, _ list: SourceNode, ignoresCase: Bool
    ) throws(Obstacle) -> FlagValue {
        guard let elements = list.elements else { return false }
        var rules = [isArray(value)]
        for element in elements {
            let test = try comparison(element, Logic.variable(["current"]), ignoresCase: ignoresCase)
            rules.append(anyElement(of: value) { _ in test })
        }
        return Logic.all(rules)
    }

    private mutating func hasMatch(_ value: FlagValue, _ condition: SourceNode) throws(Obstacle) -> FlagValue {
        let conditionNames = ["$or", "$nor", "$and", "$savedGroup"]
        let names = condition.object?.members.map { $0.name } ?? []
        let isOnValue = names.allSatisfy { $0.hasPrefix("$") && !conditionNames.contains($0) }
        let current = Logic.variable(["current"])
        let test = isOnValue ? try comparison(condition, current) : try rule(condition, ["current"])
        return anyElement(of: value) { _ in Logic.all([Logic.not(Logic.isMissing(current)), test]) }
    }

    private mutating func matches(
        _ value: FlagValue, _ pattern: SourceNode, ignoresCase: Bool
    ) throws(Obstacle) -> FlagValue {
        guard let text = pattern.text else { throw pattern.obstacle("a pattern must be a text") }
        if [#"\d"#, #"\w"#, #"\s"#, #"\b"#].contains(where: { text.lowercased().contains($0) }) {
            note(#"a text has characters beyond ASCII where a pattern has \d, \w, \s or \b"#)
        }
        return Logic.operation("almanac.matches", [value, .string(ignoresCase ? "(?i)" + text : text)])
    }

    private func isOfType(_ value: FlagValue, _ type: SourceNode) throws(Obstacle) -> FlagValue {
        let isBoolean = Logic.operation("in", [value, [true, false]])
        switch type.text {
        case "string": return Logic.isText(value)
        case "number": return Logic.isNumber(value)
        case "boolean": return isBoolean
        case "null": return Logic.isMissing(value)
        case "array": return isArray(value)
        case "object":
            return Logic.not(
                Logic.any([
                    Logic.isText(value), Logic.isNumber(value), isBoolean, Logic.isMissing(value), isArray(value),
                ]))
        default: throw type.obstacle("the type is unknown")
        }
    }

    /// Returns a rule that is true if a value is in a saved group, which is a list.
    private mutating func group(_ reference: SourceNode, _ value: FlagValue) throws(Obstacle) -> FlagValue {
        guard let id = reference.text else { throw reference.obstacle("expected the id of a saved group") }
        if groups?.object?[id] == nil { return false }
        guard let group = groups?[id] else { throw reference.obstacle("the saved group \(id) is no list") }
        var list = group
        if group.elements == nil {
            guard group["type"]?.text == "list", let values = group["values"], values.elements != nil else {
                throw reference.obstacle("the saved group \(id) is no list")
            }
            list = values
        }
        return try self.shared(ofList: list, id, value)
    }

    private mutating func shared(
        ofList list: SourceNode, _ id: String, _ value: FlagValue
    ) throws(Obstacle) -> FlagValue {
        try shared(["list", id, value.json], name: id) { (conditions) throws(Obstacle) in
            try conditions.isIn(value, list)
        }
    }

    /// Returns a rule that is true if the attributes are in a saved group, which is a list or a condition.
    private mutating func membership(_ reference: SourceNode, _ base: Base) throws(Obstacle) -> FlagValue {
        guard let id = try reference.text("id"), let group = groups?[id] else {
            throw reference.obstacle("the saved group is missing")
        }
        switch group["type"]?.text {
        case "list":
            guard let name = reference["attributeKey"]?.text ?? group["attributeKey"]?.text,
                let values = group["values"], values.elements != nil
            else { throw group.obstacle("the saved group \(id) has no attribute or no values") }
            return try shared(ofList: values, id, Logic.variable(try path(name, reference, base)))
        case "condition":
            guard let condition = group["condition"] else {
                throw group.obstacle("the saved group \(id) has no condition")
            }
            guard !visited.contains(id), visited.count < Self.maxGroupDepth else {
                throw group.obstacle("the saved groups refer to each other in a cycle, or are nested too deep")
            }
            visited.append(id)
            defer { visited.removeLast() }
            return try shared(["condition", id] + (base ?? ["", ""]), name: id) { (conditions) throws(Obstacle) in
                try conditions.rule(condition, base)
            }
        default: throw group.obstacle("the saved group \(id) has an unknown type")
        }
    }

    private func isScalar(_ node: SourceNode) -> Bool { node.object == nil && node.elements == nil }

    private func isArray(_ value: FlagValue) -> FlagValue { Logic.equal(Logic.operation("merge", [value]), value) }

    private func lowered(_ value: FlagValue) -> FlagValue { Logic.operation("almanac.lower", [value]) }
}
