internal import AlmanacTargeting

/// The translated segments of a Flagsmith project.
struct FlagsmithSegments {
    private let environmentKey: String
    private let environmentName: String
    private let nodes: [String: SourceNode]
    private var known: [String: Result<Segment, Obstacle>] = [:]
    private(set) var attributes = AttributeTable(unit: FlagsmithSegments.unit)

    /// A rule with the cases in which it differs.
    struct Segment {
        var rule: FlagValue
        var differences: [String] = []
        /// True if the segment has a split by the identity's key.
        var hasSplit = false
    }

    /// The name in the files of the attribute that identifies a user.
    static let unit = "$.identity.identifier"
    /// The user's identifier.
    static let identifier = Logic.variable(["targetingKey"])
    private static let maxDepth = 20

    init(_ document: FlagsmithDocument) {
        environmentKey = document.key
        environmentName = document.name
        nodes = Dictionary(document.segments) { $1 }
    }

    /// The key that Flagsmith hashes for a user.
    var identityKey: FlagValue { Logic.operation("cat", [.string(environmentKey + "_"), Self.identifier]) }

    /// The shared rules of the segments that were translated, by name.
    var sharedRules: [FlagObject.Member] {
        known.compactMap { id, result in
            guard case .success(let segment) = result, Self.isShared(segment.rule) else { return nil }
            return FlagObject.Member(Self.name(of: id), segment.rule)
        }.sorted { $0.name < $1.name }
    }

    /// Returns a segment whose rule is a reference to a shared rule, unless the rule is constant.
    mutating func segment(_ id: String) throws(Obstacle) -> Segment {
        var segment = try translated(id)
        if Self.isShared(segment.rule) { segment.rule = Logic.shared(Self.name(of: id)) }
        return segment
    }

    /// Returns the name of a segment for people.
    func title(of id: String) -> String { nodes[id]?["name"]?.text ?? id }

    private static func name(of id: String) -> String { "flagsmith-segment-\(id)" }

    private static func isShared(_ rule: FlagValue) -> Bool { if case .object = rule { true } else { false } }

    private mutating func translated(_ id: String) throws(Obstacle) -> Segment {
        if let segment = known[id] { return try segment.get() }
        guard let node = nodes[id] else { throw Obstacle(reason: "there is no segment \(id)", pointer: "") }
        do throws(Obstacle) {
            var segment = Segment(rule: false)
            let rules = try node.list("rules")
            // A segment without rules contains nobody.
            if !rules.isEmpty {
                var parts: [FlagValue] = []
                for rule in rules { parts.append(try self.rule(rule, depth: 1, of: id, &segment)) }
                segment.rule = Logic.all(parts)
            }
            known[id] = .success(segment)
            return segment
        } catch {
            known[id] = .failure(error)
            throw error
        }
    }

    /// Translates a rule. Its type joins its conditions, and its nested rules; both must hold.
    private mutating func rule(
        _ node: SourceNode, depth: Int, of id: String, _ segment: inout Segment
    ) throws(Obstacle) -> FlagValue {
        guard depth <= Self.maxDepth else { throw node.obstacle("rules are nested deeper than \(Self.maxDepth)") }
        guard let type = try node.text("type"), ["ALL", "ANY", "NONE"].contains(type) else {
            throw node.obstacle("a rule must have the type ALL, ANY or NONE")
        }
        var conditions: [FlagValue] = []
        for condition in try node.list("conditions") {
            conditions.append(try self.condition(condition, of: id, &segment))
        }
        var rules: [FlagValue] = []
        for nested in try node.list("rules") {
            rules.append(try rule(nested, depth: depth + 1, of: id, &segment))
        }
        return Logic.all([conditions, rules].filter { !$0.isEmpty }.map { Self.joined($0, type) })
    }

    private static func joined(_ rules: [FlagValue], _ type: String) -> FlagValue {
        switch type {
        case "ALL": Logic.all(rules)
        case "ANY": Logic.any(rules)
        default: Logic.not(Logic.any(rules))
        }
    }

    private mutating func condition(
        _ node: SourceNode, of id: String, _ segment: inout Segment
    ) throws(Obstacle) -> FlagValue {
        guard let name = try node.text("operator") else { throw node.obstacle("\"operator\" must be a text") }
        guard node.object?["property_"] != nil else { throw node.obstacle("\"property_\" is missing") }
        let property = try node.text("property_") ?? ""
        if name == "PERCENTAGE_SPLIT", property.isEmpty || property == "$.identity.key" {
            segment.hasSplit = true
            return try FlagsmithOperation.split(node, key: id, unit: identityKey)
        }
        let (value, title) = try read(property, node)
        var operation = FlagsmithOperation(node: node, value: value, title: title)
        let rule = try operation.rule(name, segment: id)
        for difference in operation.differences where !segment.differences.contains(difference) {
            segment.differences.append(difference)
        }
        return rule
    }

    /// Returns the value that a condition reads, and its title for the report. A property that begins with `$.` is a
    /// path into what Flagsmith evaluates.
    private mutating func read(_ property: String, _ node: SourceNode) throws(Obstacle) -> (FlagValue, String) {
        let trait = "$.identity.traits."
        switch property {
        case Self.unit: return (Self.identifier, "targetingKey")
        case "$.identity.key": return (identityKey, "targetingKey")
        case "$.environment.key": return (.string(environmentKey), "")
        case "$.environment.name": return (.string(environmentName), "")
        case _ where property.hasPrefix(trait) && Self.isPlain(property.dropFirst(trait.count)):
            return attribute(String(property.dropFirst(trait.count)))
        case _ where property.hasPrefix("$."):
            throw node.obstacle("the property \(property) is a path that no attribute has")
        default: return attribute(property)
        }
    }

    private mutating func attribute(_ name: String) -> (FlagValue, String) {
        let path = attributes.path(of: name)
        return (Logic.variable(path), path.joined(separator: "."))
    }

    /// True for a name that a JSON path (RFC 9535) has without quotes.
    private static func isPlain(_ name: Substring) -> Bool {
        guard let first = name.utf8.first, !(48...57).contains(first) else { return false }
        return name.utf8.allSatisfy { ScalarClass.word.contains(Unicode.Scalar($0)) }
    }
}
