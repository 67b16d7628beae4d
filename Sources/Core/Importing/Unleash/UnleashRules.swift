internal import AlmanacTargeting

/// The rules of constraints and segments.
///
/// Unleash compares texts: its clients send the text of a number or boolean. A missing attribute is no match, before
/// the constraint is inverted.
struct UnleashRules {
    var attributes = AttributeTable(unit: "userId")
    /// The shared rules of the segments.
    private(set) var sharedRules: [FlagObject.Member] = []
    /// The differences of the feature that is being translated.
    private(set) var differences: [String] = []
    private let document: UnleashDocument
    /// The translated segments by their ids.
    private var segments: [String: Result<Segment, Obstacle>] = [:]

    private static let maxConstraints = 1000

    private struct Segment {
        let rule: FlagValue
        let differences: [String]
    }

    init(_ document: UnleashDocument) { self.document = document }

    /// Forgets the differences of the feature before.
    mutating func begin() { differences = [] }

    mutating func note(_ difference: String) {
        if !differences.contains(difference) { differences.append(difference) }
    }

    /// Returns the rule that reads an attribute.
    mutating func attribute(_ name: String, at pointer: String) throws(Obstacle) -> FlagValue {
        // Unleash's current clients build a text of the rule, which a quotation mark ends.
        guard !name.isEmpty, !name.contains("\""), name.utf8.last != UInt8(ascii: "\\") else {
            throw Obstacle(reason: "clients of Unleash read the attribute \"\(name)\" differently", pointer: pointer)
        }
        return Logic.variable(attributes.path(of: name, preferred: name == "$flagd" ? ["flagd"] : nil))
    }

    /// Returns the rules of a strategy's constraints and segments, all of which must hold.
    mutating func conditions(_ strategy: SourceNode) throws(Obstacle) -> [FlagValue] {
        var rules = try constraints(strategy["constraints"])
        if let list = strategy["segments"] {
            guard let elements = list.elements else {
                throw list.obstacle("expected an array of segments")
            }
            for element in elements { rules.append(try segment(element)) }
        }
        return rules
    }

    private mutating func segment(_ reference: SourceNode) throws(Obstacle) -> FlagValue {
        guard let id = reference.unleashText else {
            throw reference.obstacle("expected the id of a segment")
        }
        if segments[id] == nil { segments[id] = translated(id, at: reference.pointer) }
        switch segments[id] {
        case .success(let segment)?:
            for difference in segment.differences { note(difference) }
            return segment.rule
        case .failure(let obstacle)?:
            throw Obstacle(
                reason: "segment \(document.segmentNames[id] ?? id): \(obstacle.reason)", pointer: obstacle.pointer)
        case nil: return false
        }
    }

    /// Translates a segment to a shared rule, of which the flags have a reference.
    private mutating func translated(_ id: String, at pointer: String) -> Result<Segment, Obstacle> {
        guard let segment = document.segments[id] else {
            return .failure(
                Obstacle(
                    reason: "its constraints are in none of the files; add the answer of /api/admin/segments",
                    pointer: pointer))
        }
        let outer = differences
        differences = []
        defer { differences = outer }
        do throws(Obstacle) {
            var rule = Logic.all(try constraints(segment["constraints"]))
            if case .object = rule {
                let name = "unleash-segment-\(id)"
                sharedRules.append(FlagObject.Member(name, rule))
                rule = Logic.shared(name)
            }
            return .success(Segment(rule: rule, differences: differences))
        } catch {
            return .failure(error)
        }
    }

    private mutating func constraints(_ list: SourceNode?) throws(Obstacle) -> [FlagValue] {
        guard let list else { return [] }
        guard let elements = list.elements else {
            throw list.obstacle("expected an array of constraints")
        }
        guard elements.count <= Self.maxConstraints else {
            throw list.obstacle("more than \(Self.maxConstraints) constraints")
        }
        var rules: [FlagValue] = []
        for element in elements { rules.append(try constraint(element)) }
        return rules
    }

    private mutating func constraint(_ node: SourceNode) throws(Obstacle) -> FlagValue {
        guard let name = node["contextName"]?.text, let operation = node["operator"]?.text else {
            throw node.obstacle("expected a constraint with contextName and operator")
        }
        let rule = try comparison(UnleashConstraint(node, name, operation))
        guard node["inverted"]?.bool == true else { return rule }
        return Self.negated(rule)
    }

    private static func negated(_ rule: FlagValue) -> FlagValue {
        switch rule {
        case .bool(let bool): return .bool(!bool)
        case .object(let object) where object.members[0].name == "!":
            guard case .array(let operands) = object.members[0].value else { return Logic.not(rule) }
            return operands[0]
        default: return Logic.not(rule)
        }
    }

    private mutating func comparison(_ constraint: UnleashConstraint) throws(Obstacle) -> FlagValue {
        let operation = constraint.operation
        guard constraint.name != "currentTime" || operation.hasPrefix("DATE_") else {
            throw constraint.obstacle("\(operation) compares the text of currentTime", at: "operator")
        }
        switch operation {
        case "IN": return try membership(constraint)
        case "NOT_IN": return Self.negated(try membership(constraint))
        case "STR_STARTS_WITH", "STR_ENDS_WITH", "STR_CONTAINS": return try part(constraint)
        case "NUM_EQ", "NUM_GT", "NUM_GTE", "NUM_LT", "NUM_LTE": return try number(constraint)
        case "DATE_AFTER", "DATE_BEFORE": return try date(constraint)
        case "SEMVER_EQ", "SEMVER_GT", "SEMVER_GTE", "SEMVER_LT", "SEMVER_LTE": return try version(constraint)
        case "REGEX": return try pattern(constraint)
        case "IN_CIDR":
            return try network(
                try constraint.texts(mayBeEmpty: true),
                try attribute(constraint.name, at: constraint.node.pointer))
        default: throw constraint.obstacle("unknown operator \(operation)", at: "operator")
        }
    }

    private mutating func membership(_ constraint: UnleashConstraint) throws(Obstacle) -> FlagValue {
        guard !constraint.ignoresCase else {
            throw constraint.obstacle(
                "clients of Unleash disagree whether \(constraint.operation) ignores case", at: "caseInsensitive")
        }
        return try membership(
            of: constraint.name, in: try constraint.texts(mayBeEmpty: true), at: constraint.node.pointer)
    }

    /// Returns the rule that an attribute is one of the texts.
    mutating func membership(
        of name: String, in texts: [String], at pointer: String
    ) throws(Obstacle) -> FlagValue {
        guard !texts.isEmpty else { return false }
        let attribute = try attribute(name, at: pointer)
        let list = FlagValue.array(FlagArray(texts.map { .string($0) }))
        // The unit is always a text, and so is an attribute that equals a text that no number or boolean has.
        guard name != "userId", texts.contains(where: UnleashConstraint.isNumberOrBoolean) else {
            return Logic.operation("in", [attribute, list])
        }
        let rule = Logic.operation("in", [Logic.operation("cat", [attribute]), list])
        return texts.contains("") ? Logic.all([Logic.not(Logic.isMissing(attribute)), rule]) : rule
    }

    private mutating func part(_ constraint: UnleashConstraint) throws(Obstacle) -> FlagValue {
        var texts = try constraint.texts(mayBeEmpty: false)
        let attribute = try attribute(constraint.name, at: constraint.node.pointer)
        // The text of a number or boolean can contain the part. The texts of missing attributes contain only the empty
        // part.
        let mayBeInNumber = constraint.name != "userId" && texts.contains(where: UnleashConstraint.mayBeInNumber)
        var text = mayBeInNumber ? Logic.operation("cat", [attribute]) : attribute
        if constraint.ignoresCase {
            text = Logic.operation("almanac.lower", [text])
            texts = texts.map { $0.lowercased() }
            if texts.contains(where: { $0.unicodeScalars.contains { $0 == "σ" || $0 == "ς" } }) {
                note("\(constraint.name) has a sigma (Σ), whose lower case depends on its place in Unleash")
            }
        }
        let rules = texts.map { part -> FlagValue in
            switch constraint.operation {
            case "STR_STARTS_WITH": Logic.operation("starts_with", [text, .string(part)])
            case "STR_ENDS_WITH": Logic.operation("ends_with", [text, .string(part)])
            default: Logic.operation("in", [.string(part), text])
            }
        }
        let rule = Logic.any(rules)
        return mayBeInNumber && texts.contains("") ? Logic.all([Logic.not(Logic.isMissing(attribute)), rule]) : rule
    }

    private mutating func number(_ constraint: UnleashConstraint) throws(Obstacle) -> FlagValue {
        guard let number = try constraint.number() else {
            throw constraint.obstacle("\(constraint.operation) needs a number", at: "value")
        }
        let text = Logic.operation("cat", [try attribute(constraint.name, at: constraint.node.pointer)])
        func matches(_ pattern: String) -> FlagValue {
            Logic.operation("almanac.matches", [text, .string(pattern)])
        }
        let constant = FlagValue.number(FlagNumber(number))
        let epsilon = Double.ulpOfOne
        let comparison: FlagValue
        var infinity: String?
        switch constraint.operation {
        case "NUM_EQ":
            comparison = Logic.operation(
                "<",
                [
                    .number(FlagNumber(-epsilon)), Logic.operation("-", [text, constant]),
                    .number(FlagNumber(epsilon)),
                ])
        case "NUM_GT", "NUM_GTE":
            comparison = Logic.operation(constraint.operation == "NUM_GT" ? ">" : ">=", [text, constant])
            infinity = "^(?i)\\+?inf(inity)?$"
        default:
            comparison = Logic.operation(constraint.operation == "NUM_LT" ? "<" : "<=", [text, constant])
            infinity = "^(?i)-inf(inity)?$"
        }
        let finite = Logic.all([
            matches("^[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?$"), comparison,
        ])
        return infinity.map { Logic.any([finite, matches($0)]) } ?? finite
    }

    private mutating func date(_ constraint: UnleashConstraint) throws(Obstacle) -> FlagValue {
        guard let date = constraint.date() else {
            throw constraint.obstacle("\(constraint.operation) needs a time such as 2026-12-01T09:00:00Z", at: "value")
        }
        var time = try attribute(constraint.name, at: constraint.node.pointer)
        note(
            "the app sends \(constraint.name) in another form than RFC 3339 with seconds and a zone, or within a "
                + "millisecond of the constraint's time")
        if constraint.name == "currentTime" {
            let path = attributes.path(of: "currentTime").joined(separator: ".")
            time = Logic.operation("var", [.string(path), Logic.variable(["$flagd", "timestamp"])])
        } else {
            time = Logic.operation("cat", [time])
        }
        let relation: FlagValue = constraint.operation == "DATE_AFTER" ? ">" : "<"
        return Logic.operation("almanac.date", [time, relation, .string(date)])
    }

    private mutating func version(_ constraint: UnleashConstraint) throws(Obstacle) -> FlagValue {
        guard let version = constraint.version() else {
            throw constraint.obstacle("\(constraint.operation) needs a version such as 2.10.0", at: "value")
        }
        let text = try attribute(constraint.name, at: constraint.node.pointer)
        let relations: [String: FlagValue] = ["EQ": "=", "GT": ">", "GTE": ">=", "LT": "<", "LTE": "<="]
        let relation = relations[String(constraint.operation.dropFirst("SEMVER_".count))] ?? "="
        // The operator also takes versions with a leading v or without all numbers.
        return Logic.all([
            Logic.operation("almanac.matches", [text, "^[0-9]+\\.[0-9]+\\.[0-9]+([-+]|$)"]),
            Logic.operation("sem_ver", [text, relation, .string(version)]),
        ])
    }

    private mutating func pattern(_ constraint: UnleashConstraint) throws(Obstacle) -> FlagValue {
        guard let text = constraint.node["value"]?.text, let pattern = UnleashPattern(text) else {
            throw constraint.obstacle("the pattern has syntax that Almanac does not have", at: "value")
        }
        let attribute = try attribute(constraint.name, at: constraint.node.pointer)
        if pattern.hasClasses {
            note(
                "\(constraint.name) has letters or digits beyond ASCII, which \\w, \\d, \\s and \\b leave out"
            )
        }
        return Logic.all([
            Logic.not(Logic.isMissing(attribute)),
            Logic.operation(
                "almanac.matches",
                [Logic.operation("cat", [attribute]), .string((constraint.ignoresCase ? "(?i)" : "") + text)]),
        ])
    }

    /// Returns the rule that an address is in one of the networks. Unleash ignores texts that are no network.
    mutating func network(_ texts: [String], _ address: FlagValue) throws(Obstacle) -> FlagValue {
        let networks = texts.compactMap { UnleashNetwork($0) }
        // An IPv4 address in an IPv6 form is in no IPv4 network of Unleash.
        let hasColon = Logic.operation("in", [":", address])
        var rules: [FlagValue] = []
        for isIPv6 in [false, true] {
            let own = networks.filter { $0.isIPv6 == isIPv6 }
            guard !own.isEmpty else { continue }
            rules.append(
                Logic.all([
                    isIPv6 ? hasColon : Logic.not(hasColon),
                    Logic.operation(
                        "almanac.network", [address, .array(FlagArray(own.map { .string($0.description) }))]),
                ]))
            if own.contains(where: \.containsMappedAddresses) {
                note("the address is an IPv4 address in an IPv6 form, such as ::ffff:10.0.0.1")
            }
        }
        return Logic.any(rules)
    }
}
