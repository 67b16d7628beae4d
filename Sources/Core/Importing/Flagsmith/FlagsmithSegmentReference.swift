internal import AlmanacTargeting

/// A segment as Flagsmith's engine evaluates it.
struct FlagsmithSegmentReference: Sendable {
    let key: String
    private let rules: [Rule]

    private struct Rule: Sendable {
        let type: String
        let conditions: [FlagsmithConditionReference]
        let rules: [Rule]
    }

    init(_ segment: FlagValue) {
        switch segment["id"] {
        case .number(let number)?: key = number.text
        case .string(let text)?: key = text
        default: key = ""
        }
        rules = Self.rules(segment["rules"], depth: 0)
    }

    private static func rules(_ value: FlagValue?, depth: Int) -> [Rule] {
        guard depth < 64, case .array(let rules)? = value else { return [] }
        return rules.map { rule in
            var type = ""
            if case .string(let text)? = rule["type"] { type = text }
            var conditions: [FlagsmithConditionReference] = []
            if case .array(let list)? = rule["conditions"] { conditions = list.map { FlagsmithConditionReference($0) } }
            return Rule(type: type, conditions: conditions, rules: self.rules(rule["rules"], depth: depth + 1))
        }
    }

    func matches(_ caller: FlagsmithCaller) -> Bool {
        !rules.isEmpty && rules.allSatisfy { matches($0, caller) }
    }

    private func matches(_ rule: Rule, _ caller: FlagsmithCaller) -> Bool {
        (rule.conditions.isEmpty || joined(rule.type, rule.conditions) { $0.matches(caller, segment: key) })
            && (rule.rules.isEmpty || joined(rule.type, rule.rules) { matches($0, caller) })
    }

    private func joined<Part>(_ type: String, _ parts: [Part], _ holds: (Part) -> Bool) -> Bool {
        switch type {
        case "ALL": parts.allSatisfy(holds)
        case "ANY": parts.contains(where: holds)
        default: !parts.contains(where: holds)
        }
    }

    /// The traits that conditions read, with values beside their constants.
    var probes: [(String, FlagValue)] { rules.flatMap { Self.probes($0) } }

    private static func probes(_ rule: Rule) -> [(String, FlagValue)] {
        rule.conditions.flatMap { condition in condition.probes.map { (condition.trait, $0) } }
            + rule.rules.flatMap { probes($0) }
    }
}

/// A condition of a segment.
struct FlagsmithConditionReference: Sendable {
    private let name: String
    private let property: String
    private let constant: String
    private let list: Set<[UInt8]>
    private let whole: WholeNumber?
    private let float: Double?
    private let pattern: SourcePattern?

    private static let suffix = ":semver"
    private static let wholeForm = SourcePattern("^\\s*[+-]?[0-9](_?[0-9])*\\s*$")
    private static let floatForm = SourcePattern(
        "(?i)^\\s*[+-]?(inf|infinity|nan|([0-9](_?[0-9])*\\.?([0-9](_?[0-9])*)?|\\.[0-9](_?[0-9])*)"
            + "(e[+-]?[0-9](_?[0-9])*)?)\\s*$"
    )

    init(_ condition: FlagValue) {
        func text(_ name: String) -> String { if case .string(let text)? = condition[name] { text } else { "" } }
        (name, property, constant) = (text("operator"), text("property_"), text("value"))
        let bare = String(
            String.UnicodeScalarView(constant.unicodeScalars.filter { $0 != "_" && !ScalarClass.space.contains($0) }))
        whole =
            Self.wholeForm?.finds(in: constant) == true
            ? WholeNumber(digits: bare.hasPrefix("+") ? String(bare.dropFirst()) : bare) : nil
        float = Self.floatForm?.finds(in: constant) == true ? Double(bare) : nil
        pattern = name == "REGEX" ? SourcePattern(constant, isPython: true) : nil
        var elements: [FlagValue] = []
        if case .array(let array)? = condition["value"] { elements = Array(array) }
        if constant.hasPrefix("["), case .array(let array)? = try? FlagValue(json: constant) { elements = Array(array) }
        if elements.isEmpty, !constant.hasPrefix("[]") {
            elements = constant.split(separator: ",", omittingEmptySubsequences: false).map { .string(String($0)) }
        }
        list = name == "IN" ? Set(elements.map { Array(Self.formatted($0).utf8) }) : []
    }

    private static func formatted(_ value: FlagValue) -> String {
        switch value {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let value): value ? "True" : "False"
        default: "None"
        }
    }

    var trait: String { FlagsmithCaller.trait(property) }

    func matches(_ caller: FlagsmithCaller, segment: String) -> Bool {
        if name == "PERCENTAGE_SPLIT" {
            let unit = property.isEmpty ? caller.identityKey : caller.value(of: property).formatted
            guard let unit, let float else { return false }
            return FlagsmithCaller.percentage(segment, unit) <= float
        }
        let value = caller.value(of: property)
        switch (name, value) {
        case ("IS_SET", .none): return false
        case ("IS_SET", _): return true
        case ("IS_NOT_SET", .none): return true
        case ("IS_NOT_SET", _), (_, .none): return false
        case ("IN", .whole), ("IN", .text): return list.contains(Array((value.formatted ?? "").utf8))
        case ("CONTAINS", .text(let text)): return text.utf8.contains(constant.utf8)
        case ("NOT_CONTAINS", .text(let text)): return !text.utf8.contains(constant.utf8)
        case ("REGEX", _): return value.formatted.map { pattern?.matches(startOf: $0) ?? false } ?? false
        case ("MODULO", .whole(let number)): return modulo(number.double)
        case ("MODULO", .float(let number)): return modulo(number)
        case ("MODULO", .bool(let value)): return modulo(value ? 1 : 0)
        default: return order(value).map { holds($0) } ?? false
        }
    }

    private func modulo(_ number: Double) -> Bool {
        let parts = constant.split(separator: "|", omittingEmptySubsequences: false).map { Double(String($0)) }
        guard parts.count == 2, let divisor = parts[0], let wanted = parts[1] else { return false }
        var rest = number.truncatingRemainder(dividingBy: divisor)
        if rest != 0, (rest < 0) != (divisor < 0) { rest += divisor }
        return rest == wanted
    }

    /// Returns the order of an attribute and the constant, which is converted to the attribute's type: -1, 0 or 1, or 2
    /// for a number and what is none. Returns nil if it cannot be converted.
    private func order(_ value: FlagsmithCaller.Value) -> Int? {
        func order<Element: Comparable>(_ left: Element, _ right: Element) -> Int {
            left < right ? -1 : left == right ? 0 : left > right ? 1 : 2
        }
        switch value {
        case .bool(let value): return order(value ? 1 : 0, constant == "False" || constant == "false" ? 0 : 1)
        case .whole(let number): return whole.map { number.order($0) }
        case .float(let number): return float.map { order(number, $0) }
        case .text(let text) where constant.hasSuffix(Self.suffix):
            guard let mine = VersionReference(text),
                let other = VersionReference(String(constant.dropLast(Self.suffix.count)))
            else { return nil }
            return mine.order(other)
        case .text(let text):
            let (mine, other) = (Array(text.utf8), Array(constant.utf8))
            return mine == other ? 0 : mine.lexicographicallyPrecedes(other) ? -1 : 1
        case .none, .other: return nil
        }
    }

    private func holds(_ order: Int) -> Bool {
        switch name {
        case "EQUAL": order == 0
        case "NOT_EQUAL": order != 0
        case "GREATER_THAN": order == 1
        case "GREATER_THAN_INCLUSIVE": order == 0 || order == 1
        case "LESS_THAN": order == -1
        case "LESS_THAN_INCLUSIVE": order == 0 || order == -1
        default: false
        }
    }

    /// The constant and values beside it, as texts and as numbers.
    var probes: [FlagValue] {
        var values: [FlagValue] = ["", "0", 7, 2.5, true, false]
        // A list of many texts is no likely attribute, and too long for an evaluation.
        if name != "IN" { values += [.string(constant), .string(constant + "x")] }
        if constant.hasSuffix(Self.suffix) {
            values += [.string(String(constant.dropLast(Self.suffix.count))), "10.2.0"]
        }
        if let whole = whole.map({ $0.double }), whole.magnitude < 1e15 {
            values += [-1, 0, 1].map { .number(FlagNumber(Int64(whole) + $0)) }
            values += [.string("00\(constant)"), .string("\(Int64(whole) + 1)"), .string("\(Int64(whole)).50")]
        } else if let float, float.magnitude < 1e15 {
            values += [.number(FlagNumber(float - 0.25)), .number(FlagNumber(float + 0.25))]
        }
        for element in list.sorted(by: { $0.lexicographicallyPrecedes($1) }).prefix(5) {
            let text = String(decoding: element, as: UTF8.self)
            values.append(.string(text))
            if let number = Int64(text) { values.append(.number(FlagNumber(number))) }
        }
        return values
    }
}

/// A version as Python's package semver compares it.
private struct VersionReference {
    private let numbers: [WholeNumber]
    private let labels: [String]

    init?(_ text: String) {
        let form = SourcePattern(
            "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)"
                + "(-(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(\\.(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?"
                + "(\\+[0-9a-zA-Z-]+(\\.[0-9a-zA-Z-]+)*)?$"
        )
        guard form?.finds(in: text) == true else { return nil }
        let version = text.prefix { $0 != "+" }
        numbers = version.prefix { $0 != "-" }.split(separator: ".").compactMap { WholeNumber(digits: String($0)) }
        labels = version.drop { $0 != "-" }.dropFirst().split(separator: ".").map { String($0) }
    }

    func order(_ other: VersionReference) -> Int {
        for (mine, theirs) in zip(numbers, other.numbers) where mine != theirs { return mine.order(theirs) }
        if labels.isEmpty || other.labels.isEmpty { return (labels.isEmpty ? 1 : 0) - (other.labels.isEmpty ? 1 : 0) }
        for (mine, theirs) in zip(labels, other.labels) where mine != theirs {
            switch (WholeNumber(digits: mine), WholeNumber(digits: theirs)) {
            case (let left?, let right?): return left.order(right)
            case (_?, nil): return -1
            case (nil, _?): return 1
            case (nil, nil): return mine.utf8.lexicographicallyPrecedes(theirs.utf8) ? -1 : 1
            }
        }
        return labels.count == other.labels.count ? 0 : labels.count < other.labels.count ? -1 : 1
    }
}

extension FlagValue {
    fileprivate subscript(name: String) -> FlagValue? {
        if case .object(let object) = self { object[name] } else { nil }
    }
}

extension String.UTF8View {
    fileprivate func contains(_ part: String.UTF8View) -> Bool {
        let (text, part) = (Array(self), Array(part))
        guard part.count <= text.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
    }
}
