internal import AlmanacTargeting

/// The translation of a condition of a Flagsmith segment.
///
/// Flagsmith reads a text of digits as a whole number, and one with a fraction as a number, before it compares. The
/// constant is then converted to the type of the attribute; without such a conversion nothing matches.
struct FlagsmithOperation {
    private let node: SourceNode
    private let value: FlagValue
    /// The attribute's name for the report.
    private let title: String
    /// The cases in which the rule differs from Flagsmith's.
    private(set) var differences: [String] = []

    static let wholePattern = "^-?[0-9]+$"
    private static let fractionPattern = "^-?[0-9]+\\.[0-9]+$"
    private static let numberPattern = "^-?[0-9]+(\\.[0-9]+)?$"
    /// The form of versions (semver.org, 2.0.0), which `sem_ver` reads more generously.
    private static let versionPattern =
        "^(0|[1-9]\\d*)(\\.(0|[1-9]\\d*)){2}(-[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?"
        + "(\\+[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?$"
    private static let versionSuffix = ":semver"
    /// The numbers that Flagsmith tells from whole ones, and Almanac and JavaScript do not.
    private static let wholeFraction = "is a whole number that is written with a fraction, such as 5.0"

    /// - Parameter value: The rule that reads the attribute.
    init(node: SourceNode, value: FlagValue, title: String) {
        self.node = node
        self.value = value
        self.title = title
    }

    /// Returns the rule of a condition.
    ///
    /// - Parameter segment: The segment's id, which a split hashes.
    mutating func rule(_ name: String, segment: String) throws(Obstacle) -> FlagValue {
        switch name {
        case "EQUAL": try equal()
        case "NOT_EQUAL": try ordered("!==")
        case "GREATER_THAN": try ordered(">")
        case "GREATER_THAN_INCLUSIVE": try ordered(">=")
        case "LESS_THAN": try ordered("<")
        case "LESS_THAN_INCLUSIVE": try ordered("<=")
        case "CONTAINS": Logic.all([isWord, Logic.operation("in", [.string(try part()), value])])
        case "NOT_CONTAINS": Logic.all([isWord, Logic.not(Logic.operation("in", [.string(try part()), value]))])
        case "IS_SET": Logic.not(Logic.isMissing(value))
        case "IS_NOT_SET": Logic.isMissing(value)
        case "IN": try isIn()
        case "REGEX": try regex()
        case "MODULO": try modulo()
        case "PERCENTAGE_SPLIT": try Self.split(node, key: segment, unit: textForm())
        default: throw node.obstacle("unknown operator \(name)")
        }
    }

    /// Returns a split by a unit: true for the buckets up to a percentage.
    static func split(_ node: SourceNode, key: String, unit: FlagValue) throws(Obstacle) -> FlagValue {
        let text = try constant(of: node)
        guard let percent = try FlagsmithNumber.fraction(text, node), !percent.isNaN else { return false }
        let bound = bucket { $0 > percent }
        if bound == 0 { return false }
        return split(key: key, unit: unit, [(0, bound, true)])
    }

    /// Returns a split into ranges of buckets.
    static func split(key: String, unit: FlagValue, _ ranges: [(from: Int, to: Int, result: FlagValue)]) -> FlagValue {
        let scheme = Logic.object([FlagObject.Member("scheme", "flagsmith"), FlagObject.Member("key", .string(key))])
        let list = ranges.map { range -> FlagValue in
            [.number(FlagNumber(Int64(range.from))), .number(FlagNumber(Int64(range.to))), range.result]
        }
        return Logic.operation("almanac.split", [scheme, unit, .array(FlagArray(list))])
    }

    /// Returns the first bucket whose percentage, computed as by Flagsmith, has a property that all later ones have, or
    /// the number of buckets.
    static func bucket(where holds: (Double) -> Bool) -> Int {
        var (low, high) = (0, 9998)
        while low < high {
            let middle = (low + high) / 2
            if holds(Double(middle) / 9998 * 100) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// True for a text that is no number.
    private var isWord: FlagValue {
        Logic.all([Logic.isText(value), Logic.not(Self.matches(value, Self.numberPattern))])
    }

    private static func matches(_ value: FlagValue, _ pattern: String) -> FlagValue {
        Logic.operation("almanac.matches", [value, .string(pattern)])
    }

    private static func constant(of node: SourceNode) throws(Obstacle) -> String {
        guard let text = try node.text("value") else { throw node.obstacle("\"value\" must be a text") }
        return text
    }

    private func constant() throws(Obstacle) -> String { try Self.constant(of: node) }

    /// Returns the constant of a search in texts.
    private func part() throws(Obstacle) -> String {
        let text = try constant()
        guard !text.hasSuffix(Self.versionSuffix) else {
            throw node.obstacle("Flagsmith searches a version for a part of it")
        }
        return text
    }

    /// True for what Flagsmith compares with the constant as a number. Nothing is a number for a constant that is none,
    /// and a whole number is not compared with a fraction.
    private mutating func numeric(_ text: String) throws(Obstacle) -> (guard: FlagValue, constant: FlagNumber)? {
        if let digits = try FlagsmithNumber.whole(text, node), case .number(let number)? = try? FlagValue(json: digits)
        {
            return (Logic.any([Logic.isNumber(value), Self.matches(value, Self.numberPattern)]), number)
        }
        guard let fraction = try FlagsmithNumber.fraction(text, node) else { return nil }
        differ(Self.wholeFraction)
        let hasFraction = Logic.not(Logic.equal(Logic.operation("%", [value, 1]), 0))
        return (
            Logic.any([
                Logic.all([Logic.isNumber(value), hasFraction]), Self.matches(value, Self.fractionPattern),
            ]), FlagNumber(fraction)
        )
    }

    private mutating func differ(_ clause: String) {
        // The environment's name and key are texts of the file, and a targeting key is a text.
        if title.isEmpty || (title == "targetingKey" && clause == Self.wholeFraction) { return }
        let difference = "\"\(title)\" \(clause)"
        if !differences.contains(difference) { differences.append(difference) }
    }

    private mutating func equal() throws(Obstacle) -> FlagValue {
        let text = try constant()
        // Every other text than "false" is true for Flagsmith, if the attribute is a boolean.
        let boolean = Logic.equal(value, .bool(text != "False" && text != "false"))
        if text.hasSuffix(Self.versionSuffix) { return Logic.any([try version("="), boolean]) }
        var rules = [Logic.equal(value, .string(text)), boolean]
        if let whole = try FlagsmithNumber.whole(text, node) {
            guard case .number(let number)? = try? FlagValue(json: whole) else {
                throw node.obstacle("the number \(whole) is too large")
            }
            let digits = whole.hasPrefix("-") ? whole.dropFirst() : whole[...]
            let sign = whole == "0" ? "-?" : whole.hasPrefix("-") ? "-" : ""
            rules[0] = Logic.all([Logic.isNumber(value), Logic.equal(value, .number(number))])
            rules.append(Self.matches(value, "^\(sign)0*\(digits)$"))
            rules.append(
                Logic.all([
                    Self.matches(value, Self.fractionPattern), Logic.operation("==", [value, .number(number)]),
                ]))
            // A text that Flagsmith takes as a number, such as " 5", is also itself.
            if text != whole { rules.append(Logic.all([isWord, Logic.equal(value, .string(text))])) }
        } else if let (condition, number) = try numeric(text), number.double.isFinite {
            rules.append(Logic.all([condition, Logic.operation("==", [value, .number(number)])]))
            rules[0] = Logic.all([isWord, rules[0]])
        }
        return Logic.any(rules)
    }

    /// Returns the rule of an order, or of a difference.
    private mutating func ordered(_ relation: String) throws(Obstacle) -> FlagValue {
        let text = try constant()
        let isTrue = text != "False" && text != "false"
        let booleans = [false, true].filter { FlagsmithNumber.holds(relation, $0 ? 1 : 0, isTrue ? 1 : 0) }
        var rules = booleans.map { Logic.equal(value, .bool($0)) }
        if text.hasSuffix(Self.versionSuffix) {
            rules.append(try version(relation == "!==" ? "!=" : relation))
            return Logic.any(rules)
        }
        if let (condition, number) = try numeric(text) {
            guard number.double.magnitude < 0x1p53 || !number.double.isFinite else {
                throw node.obstacle("the number \(text) is too large to be compared exactly")
            }
            // Any number is less than infinity, and different from what is no number.
            let comparison: FlagValue =
                number.double.isFinite
                ? Logic.operation(relation == "!==" ? "!=" : relation, [value, .number(number)])
                : .bool(FlagsmithNumber.holds(relation, 0, number.double))
            rules.append(Logic.all([condition, comparison]))
        }
        rules.append(Logic.all([isWord, Logic.operation(relation, [value, .string(text)])]))
        return Logic.any(rules)
    }

    private func version(_ relation: String) throws(Obstacle) -> FlagValue {
        let text = String(try constant().dropLast(Self.versionSuffix.count))
        // Nothing is a version for Flagsmith that is not complete, and nothing matches a constant that is none.
        guard FlagsmithNumber.isVersion(text) else { return false }
        return Logic.all([
            Self.matches(value, Self.versionPattern),
            Logic.operation("sem_ver", [value, .string(relation), .string(text)]),
        ])
    }

    private mutating func isIn() throws(Obstacle) -> FlagValue {
        let texts = try FlagsmithNumber.list(node)
        let words = texts.filter { !FlagsmithNumber.isNumber($0) }
        // Only the shortest form of a whole number is found, because Flagsmith converts the attribute to it.
        let wholes = texts.filter { FlagsmithNumber.isShortest($0) }
        func found(_ value: FlagValue, _ texts: [String]) -> FlagValue {
            Logic.operation("in", [value, .array(FlagArray(texts.map { .string($0) }))])
        }
        if words.isEmpty, wholes.isEmpty { return false }
        if wholes.isEmpty { return found(value, words) }
        differ(Self.wholeFraction)
        if wholes.contains(where: { $0.utf8.count > 15 }) {
            differ("is a text of more than 15 digits that begins with a zero")
        }
        return Logic.any([
            found(value, words + wholes),
            Logic.all([Logic.isNumber(value), found(Logic.operation("cat", [value]), wholes)]),
            Logic.all([
                Self.matches(value, "^-?0[0-9]+$|^-0$"),
                found(Logic.operation("cat", [Logic.operation("+", [value])]), wholes),
            ]),
        ])
    }

    private mutating func regex() throws(Obstacle) -> FlagValue {
        let pattern = try FlagsmithPattern(try constant(), node)
        if pattern.dependsOnUnicode { differ("has letters or digits beyond ASCII") }
        return Self.matches(textForm(), pattern.text)
    }

    /// Returns the attribute as the text that Flagsmith makes of it, or null if it is missing.
    private mutating func textForm() -> FlagValue {
        differ(Self.wholeFraction)
        differ("is a text of more than 15 digits that begins with a zero")
        let number = Logic.operation("+", [value])
        let isWhole = Logic.equal(Logic.operation("%", [value, 1]), 0)
        return Logic.first(
            [
                (Logic.equal(value, true), "True"), (Logic.equal(value, false), "False"),
                (Logic.isNumber(value), Logic.operation("cat", [value])),
                (
                    Self.matches(value, "^-?0[0-9]+$|^-0$|\\."),
                    Logic.first(
                        [
                            (Self.matches(value, "^-0+\\.0+$"), "-0.0"),
                            (Self.matches(value, Self.wholePattern), Logic.operation("cat", [number])),
                            (
                                Self.matches(value, Self.fractionPattern),
                                Logic.operation("cat", [number, Logic.first([(isWhole, ".0")], otherwise: "")])
                            ),
                        ], otherwise: value)
                ),
                (Logic.isText(value), value),
            ], otherwise: nil)
    }

    /// Returns the rule of `divisor|remainder`. Python's remainder has the sign of the divisor.
    private mutating func modulo() throws(Obstacle) -> FlagValue {
        let parts = try constant().split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 2, let divisor = try FlagsmithNumber.fraction(parts[0], node),
            let wanted = try FlagsmithNumber.fraction(parts[1], node)
        else { return false }
        guard divisor != 0, divisor.isFinite, wanted.isFinite else {
            throw node.obstacle("the divisor and the remainder must be numbers, and the divisor not 0")
        }
        let isNumeric = Logic.any([
            Logic.isNumber(value), Self.matches(value, Self.numberPattern), Logic.equal(value, true),
            Logic.equal(value, false),
        ])
        let rest = Logic.operation("%", [value, .number(FlagNumber(divisor))])
        let isOpposite = Logic.operation(divisor > 0 ? "<" : ">", [rest, 0])
        let sum = Logic.operation("+", [rest, .number(FlagNumber(divisor))])
        return Logic.all([
            isNumeric,
            Logic.operation("==", [Logic.first([(isOpposite, sum)], otherwise: rest), .number(FlagNumber(wanted))]),
        ])
    }
}
