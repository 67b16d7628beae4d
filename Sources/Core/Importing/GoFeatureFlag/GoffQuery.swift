internal import AlmanacTargeting

/// A translator of GO Feature Flag's queries in text form, such as `email ew "@example.com" and not (age lt 18)`, and
/// of the attributes that both forms of queries read.
///
/// The form is the grammar of github.com/nikunjy/rules. Its versions differ in texts outside of the grammar, such as
/// two spaces in a row, so such a query is an obstacle.
struct GoffQuery {
    /// The cases in which the queries of one flag differ.
    private(set) var clauses: [String] = []
    private var noted: Set<String> = []
    /// The attributes that rules read, and the objects among them.
    var attributes = AttributeTable(unit: "targetingKey")
    var objects: Set<String> = []
    /// The place of the query, as a JSON pointer.
    var pointer = ""
    private var bytes: [UInt8] = []
    private var place = 0
    private var conditions = 0
    /// The number of operands that depend on the comparison before them.
    private var dependentOperands = 0

    private static let maxDepth = 60
    private static let maxConditions = 1000
    private static let maxDependentOperands = 20

    /// Forgets the cases of the flag before.
    mutating func beginFlag() { (clauses, noted) = ([], []) }

    /// A part of a query with the operand of its last comparison, by its result.
    ///
    /// GO Feature Flag compares this operand again where the next comparison reads a member of a missing object.
    private struct Part {
        var rule: FlagValue
        var whenTrue: FlagValue?
        var whenFalse: FlagValue?
    }

    /// Returns the rule of a query.
    mutating func rule(_ query: String, at pointer: String) throws(Obstacle) -> FlagValue {
        self.pointer = pointer
        let text = Self.trimmed(query)
        if text.utf8.isEmpty { return true }
        if text.utf8.first == UInt8(ascii: "{") { return try logic(text) }
        (bytes, place, conditions, dependentOperands) = (Array(text.utf8), 0, 0, 0)
        while bytes.last == space { bytes.removeLast() }
        let part = try self.query(previous: .some(.null), depth: 0)
        guard place == bytes.count else { throw unexpected("expected \"and\", \"or\" or the end") }
        return part.rule
    }

    /// Returns the lines of a query without leading spaces, joined, as GO Feature Flag reads it.
    static func trimmed(_ query: String) -> String {
        query.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(Substring($0.drop { $0 == space })) }.joined()
    }

    func obstacle(_ reason: String) -> Obstacle { Obstacle(reason: reason, pointer: pointer) }

    private func unexpected(_ expectation: String) -> Obstacle {
        let rest = String(decoding: bytes[place...].prefix(20), as: UTF8.self)
        return obstacle("the query cannot be read at \"\(rest)\": \(expectation)")
    }

    private mutating func query(previous: FlagValue?, depth: Int) throws(Obstacle) -> Part {
        guard depth < Self.maxDepth else { throw obstacle("the query has more than \(Self.maxDepth) parentheses") }
        var part = try primary(previous, depth)
        var (operands, operation): ([FlagValue], String?) = ([], nil)
        while true {
            let start = place
            guard take(" "), let word = word(), word == "and" || word == "or" else {
                place = start
                break
            }
            guard take(" ") else { throw unexpected("expected a space") }
            // Both operators bind alike, from the left.
            if operation != word {
                if operation != nil { part.rule = Self.joined(operands, operation) }
                (operands, operation) = (Self.operands(of: part.rule, word), word)
            }
            let next = try primary(word == "and" ? part.whenTrue : part.whenFalse, depth)
            operands += Self.operands(of: next.rule, word)
            if word == "and" {
                part.whenFalse = part.whenFalse == next.whenFalse ? part.whenFalse : Optional.none
                part.whenTrue = next.whenTrue
            } else {
                part.whenTrue = part.whenTrue == next.whenTrue ? part.whenTrue : Optional.none
                part.whenFalse = next.whenFalse
            }
        }
        if operation != nil { part.rule = Self.joined(operands, operation) }
        return part
    }

    private static func joined(_ operands: [FlagValue], _ operation: String?) -> FlagValue {
        operation == "and" ? Logic.all(operands) : Logic.any(operands)
    }

    /// Returns the arguments of a rule with this operator, or a rule with another one as it is.
    private static func operands(of rule: FlagValue, _ name: String) -> [FlagValue] {
        guard case .object(let object) = rule, object.members.count == 1, object.members[0].name == name,
            case .array(let operands) = object.members[0].value
        else { return [rule] }
        return Array(operands)
    }

    private mutating func primary(_ previous: FlagValue?, _ depth: Int) throws(Obstacle) -> Part {
        let start = place
        let isNegated = ["not", "NOT"].contains(word())
        if !isNegated { place = start }
        _ = take(" ")
        guard take("(") else {
            guard place == start else { throw unexpected("expected a parenthesis") }
            return try comparison(previous)
        }
        _ = take(" ")
        var part = try query(previous: previous, depth: depth + 1)
        _ = take(" ")
        guard take(")") else { throw unexpected("expected a closing parenthesis") }
        if isNegated { part = Part(rule: Logic.not(part.rule), whenTrue: part.whenFalse, whenFalse: part.whenTrue) }
        return part
    }

    private mutating func comparison(_ previous: FlagValue?) throws(Obstacle) -> Part {
        conditions += 1
        guard conditions <= Self.maxConditions else {
            throw obstacle("the query has more than \(Self.maxConditions) conditions")
        }
        var names: [String] = []
        repeat {
            guard let name = word(), !Self.keywords.contains(name) else { throw unexpected("expected an attribute") }
            names.append(name)
        } while take(".")
        let operand = try operand(names, previous)
        guard take(" ") else { throw unexpected("expected a space") }
        let operation = symbol() ?? ""
        guard let relation = Self.relations[operation] else { throw unexpected("expected an operator") }
        if relation == "pr" {
            return Part(rule: Logic.not(Logic.isMissing(operand)), whenTrue: operand, whenFalse: operand)
        }
        guard take(" ") else { throw unexpected("expected a space") }
        let rule = try rule(operand, relation, constant(), names.joined(separator: "."))
        return Part(rule: rule, whenTrue: operand, whenFalse: operand)
    }

    /// Returns the value of an attribute. A member of a missing object has the value of the comparison before it.
    private mutating func operand(_ names: [String], _ previous: FlagValue?) throws(Obstacle) -> FlagValue {
        let value = try variable(names)
        guard names.count == 2, previous != .some(.null) else { return value }
        dependentOperands += 1
        guard let previous, dependentOperands <= Self.maxDependentOperands else {
            throw obstacle(
                "\"\(names[1])\" of a missing \"\(names[0])\" has the value of another condition in GO Feature Flag")
        }
        return Logic.first([(Logic.isMissing(Logic.variable([names[0]])), previous)], otherwise: value)
    }

    private mutating func rule(
        _ value: FlagValue, _ relation: String, _ constant: Constant, _ name: String
    ) throws(Obstacle) -> FlagValue {
        switch (constant, relation) {
        case (.null, "eq"): return Logic.isMissing(value)
        case (.null, "ne"): return Logic.not(Logic.isMissing(value))
        case (.bool(let flag), "eq"): return Logic.equal(value, .bool(flag))
        case (.bool(let flag), "ne"): return Logic.equal(value, .bool(!flag))
        case (.texts(let texts), "in"): return Logic.operation("in", [value, .array(FlagArray(texts))])
        case (.numbers(let numbers), "in"): return Logic.operation("in", [value, .array(FlagArray(numbers))])
        case (.integer(let number), _):
            guard let rule = Self.rule(value, relation, number) else { break }
            return Logic.all([Logic.isNumber(value)] + Self.operands(of: rule, "and"))
        case (.number(let number), _):
            guard let comparison = Self.orders[relation] else { break }
            return Logic.all([Logic.isNumber(value), Logic.operation(comparison, [value, number])])
        case (.version(let version), _):
            guard let comparison = Self.orders[relation] else { break }
            let form = Logic.operation("almanac.matches", [value, #"^[0-9]+\.[0-9]+\.[0-9]"#])
            let relation = ["===": "=", "!==": "!="][comparison] ?? comparison
            return Logic.all([form, Logic.operation("sem_ver", [value, .string(relation), version])])
        case (.text(let text), _): if let rule = rule(value, relation, text, name) { return rule }
        default: break
        }
        throw obstacle("the operator \"\(relation)\" does not apply to the value that \"\(name)\" is compared with")
    }

    /// Compares texts without regard to case.
    private mutating func rule(_ value: FlagValue, _ relation: String, _ text: String, _ name: String) -> FlagValue? {
        let constant = FlagValue.string(Self.lowercased(text))
        let lower = Logic.operation("almanac.lower", [value])
        let rule: FlagValue
        switch relation {
        case "eq": rule = Logic.equal(lower, constant)
        case "co": rule = Logic.operation("in", [constant, lower])
        case "sw": rule = Logic.operation("starts_with", [lower, constant])
        case "ew": rule = Logic.operation("ends_with", [lower, constant])
        case "in": return nil
        default:
            guard let comparison = Self.orders[relation] else { return nil }
            rule = Logic.all([Logic.isText(value), Logic.operation(comparison, [lower, constant])])
        }
        let isOrder = ["gt", "lt", "ge", "le"].contains(relation)
        if isOrder || text.unicodeScalars.contains(where: { ["i", "I", "İ", "\u{307}"].contains($0) }) {
            note("\"\(name)\" has the letter İ, which GO Feature Flag reads as i")
        }
        return rule
    }

    mutating func note(_ clause: String) { if noted.insert(clause).inserted { clauses.append(clause) } }

    /// Returns a text in lower case as Go converts it: without a dot above an i.
    private static func lowercased(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "İ" ? "i" : $0 })).lowercased()
    }

    /// Compares the whole part of a number with a whole number, as GO Feature Flag does.
    private static func rule(_ value: FlagValue, _ relation: String, _ number: Int64) -> FlagValue? {
        func reaches(_ number: Int64) -> FlagValue {
            number > 0
                ? Logic.operation(">=", [value, .number(FlagNumber(number))])
                : Logic.operation(">", [value, .number(FlagNumber(number - 1))])
        }
        func staysBelow(_ number: Int64) -> FlagValue {
            number > 0
                ? Logic.operation("<", [value, .number(FlagNumber(number))])
                : Logic.operation("<=", [value, .number(FlagNumber(number - 1))])
        }
        switch relation {
        case "eq": return Logic.all([reaches(number), staysBelow(number + 1)])
        case "ne": return Logic.any([staysBelow(number), reaches(number + 1)])
        case "gt": return reaches(number + 1)
        case "ge": return reaches(number)
        case "lt": return staysBelow(number)
        case "le": return staysBelow(number + 1)
        default: return nil
        }
    }

    private static let orders = ["eq": "===", "ne": "!==", "gt": ">", "lt": "<", "ge": ">=", "le": "<="]
    private static let relations: [String: String] = {
        var names = ["==": "eq", "!=": "ne", ">": "gt", "<": "lt", ">=": "ge", "<=": "le", "pr": "pr"]
        for name in ["eq", "ne", "gt", "lt", "ge", "le", "co", "sw", "ew", "in"] {
            (names[name], names[name.uppercased()]) = (name, name)
        }
        return names
    }()
    private static let keywords = Set(relations.keys).union(["not", "NOT", "and", "or", "true", "false", "null"])
}

private let space = UInt8(ascii: " ")

// The tokens.
extension GoffQuery {
    private enum Constant {
        case null
        case bool(Bool)
        case text(String)
        case integer(Int64)
        case number(FlagValue)
        case version(FlagValue)
        case texts([FlagValue])
        case numbers([FlagValue])
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    /// Reads a name: a letter, then letters, digits and `-_:`.
    private mutating func word() -> String? {
        guard place < bytes.count, bytes[place].isLetter else { return nil }
        let start = place
        while place < bytes.count, bytes[place].isNamePart { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func symbol() -> String? {
        if let word = word() { return word }
        let start = place
        while place < bytes.count, "=!<>".utf8.contains(bytes[place]) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func constant() throws(Obstacle) -> Constant {
        switch place < bytes.count ? bytes[place] : 0 {
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "["): return try list()
        case let byte where byte.isLetter:
            switch word() {
            case "true": return .bool(true)
            case "false": return .bool(false)
            case "null": return .null
            default: throw unexpected("expected a value")
            }
        default: return try number()
        }
    }

    /// Reads a text, whose escapes stay as they are.
    private mutating func text() throws(Obstacle) -> String {
        let start = place + 1
        place = start
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            if bytes[place] == UInt8(ascii: "\\") {
                place += 1
                guard place < bytes.count, "\"\\/bfnrt".utf8.contains(bytes[place]) else {
                    throw unexpected("expected another escape")
                }
            }
            place += 1
        }
        guard take("\"") else { throw unexpected("expected a quotation mark") }
        return String(decoding: bytes[start..<place - 1], as: UTF8.self)
    }

    private mutating func list() throws(Obstacle) -> Constant {
        var (texts, numbers, hasFraction): ([FlagValue], [FlagValue], [Bool]) = ([], [], [])
        repeat {
            place += 1
            if !texts.isEmpty || !numbers.isEmpty { while take(" ") {} }
            switch try constant() {
            case .text(let text): texts.append(.string(text))
            case .integer(let number) where number >= 0:
                numbers.append(.number(FlagNumber(number)))
                hasFraction.append(false)
            case .number(let number):
                numbers.append(number)
                hasFraction.append(true)
            default: throw unexpected("expected a list of texts or of numbers")
            }
        } while place < bytes.count && bytes[place] == UInt8(ascii: ",")
        guard take("]") else { throw unexpected("expected a comma or a bracket") }
        guard texts.isEmpty || numbers.isEmpty, Set(hasFraction).count < 2 else {
            throw unexpected("expected values of one type in a list")
        }
        return numbers.isEmpty ? .texts(texts) : .numbers(numbers)
    }

    private mutating func number() throws(Obstacle) -> Constant {
        let start = place
        while place < bytes.count, bytes[place].isNamePart || "+.".utf8.contains(bytes[place]) { place += 1 }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        let hasLeadingZero = digits.first == UInt8(ascii: "0") && digits.dropFirst().first?.isDigit == true
        let core = text.utf8.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
        if core.first?.isDigit == true, core.count(where: { $0 == UInt8(ascii: ".") }) == 2 {
            return .version(.string(text))
        }
        guard digits.count >= text.utf8.count - 1, !hasLeadingZero, digits.first?.isDigit == true else {
            throw unexpected("expected a value")
        }
        if digits.allSatisfy({ $0.isDigit }), let number = Int64(text) {
            guard number.magnitude < 1 << 31 else {
                throw obstacle("\(text) is beyond the whole numbers of GO Feature Flag's providers")
            }
            return .integer(number)
        }
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].first?.isDigit == true, let number = try? FlagValue(json: text) else {
            throw unexpected("expected a number without an exponent, or with a fraction")
        }
        return .number(number)
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (65...90).contains(self) || (97...122).contains(self) }
    fileprivate var isDigit: Bool { (48...57).contains(self) }
    fileprivate var isNamePart: Bool { isLetter || isDigit || "-_:".utf8.contains(self) }
}
