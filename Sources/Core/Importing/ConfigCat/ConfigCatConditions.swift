internal import AlmanacTargeting

/// The conditions of ConfigCat on attributes of a user, as rules.
///
/// ConfigCat ignores a targeting rule if a condition cannot be evaluated because an attribute is missing, is empty or
/// has an unfit type, also if the condition is a negation. In a shared rule for a segment, null stands for a condition
/// that cannot be evaluated, because "is not in segment" is then false too.
struct ConfigCatConditions {
    private(set) var attributes = AttributeTable(unit: "Identifier")
    /// The attributes beside the Identifier that the file reads, by their names in Almanac.
    private(set) var otherAttributes: [String] = []
    private(set) var sharedRules: [FlagObject.Member] = []
    private let segments: [SourceNode]
    private let salt: String
    /// The names of the shared rules of segments.
    private var memberships: [Int: String] = [:]
    private var names = UniqueNames()
    /// The cases in which a comparison of the present flag differs.
    private var differences: [String] = []
    /// The cases by the shared rule of a segment.
    private var segmentDifferences: [Int: [String]] = [:]
    /// The attributes that a comparison reads as an array.
    private var arrays: Set<String> = []

    private static let isNumeric = #"^\s*([+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|Infinity)|NaN)\s*$"#
    private static let relations = ["<", "<=", ">", ">="]

    init(_ root: SourceNode) {
        salt = root["p"]?["s"]?.text ?? ""
        segments = root["s"]?.elements ?? []
        for name in ["Email", "Country"] { add(name) }
        for segment in segments { for part in segment["r"]?.elements ?? [] { add(part) } }
        for (_, setting) in root["f"]?.members ?? [] {
            if let name = setting["a"]?.text { add(name) }
            for rule in setting["r"]?.elements ?? [] {
                for part in rule["c"]?.elements ?? [] { part["u"].map { add($0) } }
            }
        }
    }

    private mutating func add(_ condition: SourceNode) {
        guard let name = condition["a"]?.text else { return }
        add(name)
        if [26, 27, 34, 35].contains(condition["c"]?.integer) { arrays.insert(name) }
    }

    private mutating func add(_ name: String) {
        guard attributes.paths[name] == nil else { return }
        otherAttributes.append(attributes.path(of: name).joined(separator: "."))
    }

    mutating func variable(_ attribute: String) -> FlagValue { Logic.variable(attributes.path(of: attribute)) }

    /// Returns a name for a shared rule that no other one has.
    mutating func unusedName(_ wanted: String) -> String { names.add(wanted, separator: " ") }

    /// Returns the cases in which the conditions since the last call differ from ConfigCat's.
    mutating func takeDifferences() -> [String] {
        defer { differences = [] }
        return differences
    }

    private mutating func note(_ difference: String) {
        if !differences.contains(difference) { differences.append(difference) }
    }

    /// Returns a rule that is true if the user is in a segment, or is not.
    mutating func membership(_ part: SourceNode) throws(Obstacle) -> FlagValue {
        guard let index = part["s"]?.integer, segments.indices.contains(index) else {
            throw (part["s"] ?? part).obstacle("the segment is missing")
        }
        guard let comparator = part["c"]?.integer, (0...1).contains(comparator) else {
            throw (part["c"] ?? part).obstacle("the comparator of the segment is unknown")
        }
        let name = try sharedRule(ofSegment: index)
        segmentDifferences[index]?.forEach { note($0) }
        return comparator == 0 ? Logic.shared(name) : Logic.equal(Logic.shared(name), false)
    }

    private mutating func sharedRule(ofSegment index: Int) throws(Obstacle) -> String {
        if let name = memberships[index] { return name }
        let segment = segments[index]
        guard let salt = segment["n"]?.text, let parts = segment["r"]?.elements, !parts.isEmpty else {
            throw segment.obstacle("the segment has no name or no condition")
        }
        let outer = takeDifferences()
        defer { differences = outer }
        var tests: [FlagValue] = []
        for part in parts {
            let comparison = try comparison(part, salt: salt)
            tests.append(
                Logic.operation("if", [Logic.all(comparison.guards), Logic.operation("!!", [comparison.test])]))
        }
        let name = unusedName(salt.isEmpty ? "ConfigCat segment" : salt)
        memberships[index] = name
        segmentDifferences[index] = differences
        sharedRules.append(FlagObject.Member(name, Logic.all(tests)))
        return name
    }

    /// Returns rules that are all true if a condition holds.
    ///
    /// - Parameter salt: The text that ConfigCat adds to hidden values: the key of the setting.
    mutating func rules(_ part: SourceNode, salt: String) throws(Obstacle) -> [FlagValue] {
        let comparison = try comparison(part, salt: salt)
        return (comparison.neededGuards ?? comparison.guards) + [comparison.test]
    }

    /// A comparison, and the rules that are true if ConfigCat can evaluate it.
    private struct Comparison {
        let guards: [FlagValue]
        let test: FlagValue
        /// The guards without which the test might be true although ConfigCat cannot evaluate it; nil for all.
        var neededGuards: [FlagValue]?
    }

    private mutating func comparison(_ part: SourceNode, salt: String) throws(Obstacle) -> Comparison {
        guard let name = part["a"]?.text else { throw (part["a"] ?? part).obstacle("the condition has no attribute") }
        guard let comparator = part["c"]?.integer, (0...35).contains(comparator) else {
            throw (part["c"] ?? part).obstacle("the comparator is unknown")
        }
        let value = variable(name)
        let isNegation = !comparator.isMultiple(of: 2)
        switch comparator {
        case 4...9: return try version(part, name, value, comparator)
        case 10...15, 18, 19: return try number(part, name, value, comparator)
        case 26, 27, 34, 35: return try array(part, name, value, salt, comparator)
        default:
            let isHidden = (16...25).contains(comparator)
            let constants = try constants(of: part, isOne: [20, 21, 28, 29].contains(comparator))
            // Numbers and booleans count as their texts.
            let isPlain = !isHidden && !constants.contains { Self.couldBeOther($0) }
            let operand = isPlain ? value : Logic.operation("cat", [value])
            // An array is none of the plain texts, as in ConfigCat.
            let isExact = isPlain && [0, 1, 28, 29].contains(comparator)
            if !isExact, arrays.contains(name) { note("\(name) is an array where a rule compares a text") }
            let isPresent = Logic.not(member(value, [nil, ""]))
            let isNoArray = isExact ? [] : [Logic.not(isArray(value))]
            let test = try test(part, operand, constants, salt, comparator)
            return Comparison(
                guards: [isPresent] + isNoArray, test: isNegation ? Logic.not(test) : test,
                neededGuards: !isPlain || isNegation ? nil : comparator == 2 ? isNoArray : [])
        }
    }

    /// Returns the rule of a comparison of texts, without a negation.
    private func test(
        _ part: SourceNode, _ operand: FlagValue, _ constants: [String], _ salt: String, _ comparator: Int
    ) throws(Obstacle) -> FlagValue {
        switch comparator {
        case 0, 1: return member(operand, constants.map { .string($0) })
        case 2, 3: return Logic.any(constants.map { Logic.operation("in", [.string($0), operand]) })
        case 16, 17: return member(hashed(operand, salt), constants.map { .string($0) })
        case 20, 21: return Logic.equal(hashed(operand, salt), .string(constants[0]))
        case 28, 29: return Logic.equal(operand, .string(constants[0]))
        case 30, 31: return Logic.any(constants.map { Logic.operation("starts_with", [operand, .string($0)]) })
        case 32, 33: return Logic.any(constants.map { Logic.operation("ends_with", [operand, .string($0)]) })
        default:
            var tests: [FlagValue] = []
            for constant in constants {
                let parts = constant.split(separator: "_", maxSplits: 1)
                guard parts.count == 2, let count = Int64(parts[0]), (1...65535).contains(count) else {
                    throw (part["l"] ?? part).obstacle("a hidden value does not begin with its length")
                }
                let length: FlagValue = .number(FlagNumber(comparator < 24 ? count : -count))
                tests.append(Logic.equal(hashed(operand, salt, length), .string(String(parts[1]))))
            }
            return Logic.any(tests)
        }
    }

    private mutating func version(
        _ part: SourceNode, _ name: String, _ value: FlagValue, _ comparator: Int
    ) throws(Obstacle) -> Comparison {
        note("\(name) is a version with spaces around it")
        let constants = try constants(of: part, isOne: comparator > 5)
            .map { Self.trimmed($0) }.filter { comparator > 5 || !$0.isEmpty }
        guard let first = constants.first, constants.allSatisfy({ Self.isVersion($0) }) else {
            throw part.obstacle("a version to compare with is no semantic version")
        }
        func compared(_ relation: String, _ constant: String) -> FlagValue {
            Logic.operation("sem_ver", [value, .string(relation), .string(constant)])
        }
        let isText = Logic.operation("almanac.matches", [value, #"^\d+\.\d+\.\d+"#])
        let test =
            switch comparator {
            case 4: Logic.any(constants.map { compared("=", $0) })
            case 5: Logic.all(constants.map { compared("!=", $0) })
            default: compared(Self.relations[comparator - 6], first)
            }
        let isVersion = Logic.not(Logic.isMissing(compared("=", first)))
        return Comparison(guards: [isText, isVersion], test: test, neededGuards: [isText])
    }

    private mutating func number(
        _ part: SourceNode, _ name: String, _ value: FlagValue, _ comparator: Int
    ) throws(Obstacle) -> Comparison {
        guard let constant = part["d"], constant.number != nil else {
            throw (part["d"] ?? part).obstacle("expected a number to compare with")
        }
        note("\(name) is a text with a decimal comma")
        let relation =
            switch comparator {
            case 10: "=="
            case 11: "!="
            case 18: "<"
            case 19: ">"
            default: Self.relations[comparator - 12]
            }
        let isNumber = Logic.any([
            Logic.isNumber(value), Logic.operation("almanac.matches", [value, .string(Self.isNumeric)]),
        ])
        return Comparison(guards: [isNumber], test: Logic.operation(relation, [value, constant.value]))
    }

    private mutating func array(
        _ part: SourceNode, _ name: String, _ value: FlagValue, _ salt: String, _ comparator: Int
    ) throws(Obstacle) -> Comparison {
        note("\(name) is a text with an array in JSON")
        let constants = try constants(of: part, isOne: false)
        let current = Logic.variable(["current"])
        let accumulator = Logic.variable(["accumulator"])
        let areTexts = Logic.operation("reduce", [value, Logic.all([accumulator, Logic.isText(current)]), true])
        let test =
            comparator > 27
            ? Logic.any(constants.map { Logic.operation("in", [.string($0), value]) })
            : Logic.operation(
                "reduce",
                [
                    value,
                    Logic.any([accumulator, member(hashed(current, salt), constants.map { .string($0) })]), false,
                ])
        return Comparison(
            guards: [isArray(value), areTexts], test: comparator.isMultiple(of: 2) ? test : Logic.not(test))
    }

    private func hashed(_ text: FlagValue, _ salt: String, _ length: FlagValue? = nil) -> FlagValue {
        let salts: FlagValue = [.string(self.salt), .string(salt)]
        return Logic.operation("almanac.hashed", [text, salts] + (length.map { [$0] } ?? []))
    }

    private func member(_ value: FlagValue, _ list: [FlagValue]) -> FlagValue {
        Logic.operation("in", [value, .array(FlagArray(list))])
    }

    private func isArray(_ value: FlagValue) -> FlagValue { Logic.equal(Logic.operation("merge", [value]), value) }

    /// Returns the constants of a comparison: the text `s` or the texts `l`.
    private func constants(of part: SourceNode, isOne: Bool) throws(Obstacle) -> [String] {
        if isOne, let text = try part.text("s") { return [text] }
        guard !isOne, part["l"] != nil else { throw part.obstacle("expected a text or texts to compare with") }
        return try part.texts("l")
    }

    /// Returns true if the text is empty, or may be a part of the text of a number or a boolean.
    private static func couldBeOther(_ text: String) -> Bool {
        text.utf8.allSatisfy { "0123456789+-.e".utf8.contains($0) }
            || ["true", "false", "Infinity", "NaN"].contains { $0.contains(text) }
    }

    /// Returns true for a text that begins with three numbers. The compiler of rules checks what follows.
    private static func isVersion(_ text: String) -> Bool {
        let numbers = text.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return numbers.count == 3
            && numbers.allSatisfy { number in
                (1...15).contains(number.count) && number.allSatisfy { "0123456789".utf8.contains($0) }
            }
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        return String(start.prefix(start.count - start.reversed().prefix { $0.isWhitespace }.count))
    }
}
