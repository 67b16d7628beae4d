internal import AlmanacTargeting

// Queries in JSON Logic, as the library github.com/diegoholiveira/jsonlogic evaluates them. This library and Almanac
// differ in values of other types than the constant's, so each comparison has its guards.
extension GoffQuery {
    private static let maxLogicDepth = 60

    mutating func logic(_ text: String) throws(Obstacle) -> FlagValue {
        guard let value = try? FlagValue(json: text) else { throw obstacle("the query is no valid JSON") }
        return try condition(value, depth: 0)
    }

    /// Returns the variable of an attribute. `key` and `targetingKey` are the unit, which is never missing.
    mutating func variable(_ names: [String], at pointer: String? = nil) throws(Obstacle) -> FlagValue {
        if let pointer { self.pointer = pointer }
        guard names.count <= 2, !names.contains(""), names[0].utf8.first != UInt8(ascii: "$") else {
            throw obstacle("\"\(names.joined(separator: "."))\" is no path of one or two names")
        }
        if names == ["key"] || names == ["targetingKey"] {
            return Logic.operation("var", ["targetingKey", ""])
        }
        if names.count == 1 {
            guard !objects.contains(names[0]) else {
                throw obstacle("\"\(names[0])\" is an attribute here, and an object elsewhere")
            }
            let variable = Logic.variable(attributes.path(of: names[0]))
            return names == ["anonymous"] ? Logic.equal(variable, true) : variable
        }
        guard attributes.paths[names[0]] == nil, !["key", "targetingKey", "anonymous"].contains(names[0]) else {
            throw obstacle("\"\(names[0])\" is an object here, and an attribute elsewhere")
        }
        objects.insert(names[0])
        note("\"\(names[0])\" is neither missing nor an object")
        return Logic.variable(attributes.path(of: names.joined(separator: "."), preferred: names))
    }

    private mutating func condition(_ value: FlagValue, depth: Int) throws(Obstacle) -> FlagValue {
        guard depth < Self.maxLogicDepth else { throw obstacle("the query is nested too deep") }
        if case .bool = value { return value }
        guard case .object(let object) = value, object.members.count == 1, Self.names(value) == nil else {
            throw obstacle("the query has a part that is no condition: \(Self.shortened(value))")
        }
        let (name, argument) = (object.members[0].name, object.members[0].value)
        var arguments = [argument]
        if case .array(let elements) = argument { arguments = Array(elements) }
        switch (name, arguments.count) {
        case ("and", 1...), ("or", 1...):
            var parts: [FlagValue] = []
            for argument in arguments { parts.append(try condition(argument, depth: depth + 1)) }
            return name == "and" ? Logic.all(parts) : Logic.any(parts)
        case ("!", 1), ("!!", 1):
            let part: FlagValue
            if let names = Self.names(arguments[0]) {
                note("\"\(names.joined(separator: "."))\" is an empty object")
                part = Logic.operation("!!", [try variable(names)])
            } else {
                part = try condition(arguments[0], depth: depth + 1)
            }
            return name == "!" ? Logic.not(part) : part
        case ("in", 2): return try membership(arguments)
        case ("<", 3), ("<=", 3), (">", 3), (">=", 3):
            return Logic.all([
                try comparison(name, arguments[0], arguments[1]), try comparison(name, arguments[1], arguments[2]),
            ])
        case ("==", 2), ("!=", 2), ("===", 2), ("!==", 2), ("<", 2), ("<=", 2), (">", 2), (">=", 2):
            return try comparison(name, arguments[0], arguments[1])
        default: throw obstacle("the operator \"\(name)\" with \(arguments.count) arguments is not translated")
        }
    }

    /// Compares a variable with a constant, or a constant with a variable.
    private mutating func comparison(
        _ name: String, _ left: FlagValue, _ right: FlagValue
    ) throws(Obstacle) -> FlagValue {
        let isReversed = Self.names(left) == nil
        guard let names = Self.names(isReversed ? right : left) else {
            throw obstacle("the operator \"\(name)\" needs an attribute and a constant")
        }
        let (value, constant) = (try variable(names), isReversed ? left : right)
        switch name {
        case "===": return Logic.equal(value, try checked(constant, name))
        case "!==": return Logic.not(Logic.equal(value, try checked(constant, name)))
        case "==": return try equality(value, constant, names)
        case "!=": return Logic.not(try equality(value, constant, names))
        default: break
        }
        let arguments = isReversed ? [constant, value] : [value, constant]
        switch constant {
        case .number(let number):
            noteNumber(names)
            // A missing attribute is less than 1 and greater than -1, but not equal to 0.
            let includesZero = ["<=", ">="].contains(name) && number.double == 0
            let isPresent = includesZero ? [Logic.not(Logic.isMissing(value))] : []
            return Logic.all(isPresent + [Self.isNoArray(value), Logic.operation(name, arguments)])
        case .string(let text):
            guard Self.number(text) == nil else {
                throw obstacle("the text \"\(text)\" is compared as a number, too")
            }
            return Logic.all([Logic.isText(value), Logic.operation(name, arguments)])
        default: throw obstacle("the operator \"\(name)\" needs a number or a text")
        }
    }

    private func checked(_ constant: FlagValue, _ name: String) throws(Obstacle) -> FlagValue {
        switch constant {
        case .array, .object: throw obstacle("the operator \"\(name)\" needs an attribute and a constant")
        default: return constant
        }
    }

    /// Compares like `==`, which reads texts and booleans as numbers if the types differ.
    private mutating func equality(
        _ value: FlagValue, _ constant: FlagValue, _ names: [String]
    ) throws(Obstacle) -> FlagValue {
        switch try checked(constant, "==") {
        case .string(let text):
            guard let number = Self.number(text), number.isFinite else { return Logic.equal(value, constant) }
            var rules = [Logic.equal(value, constant), Logic.equal(value, .number(FlagNumber(number)))]
            if number == 0 { rules.append(Logic.equal(value, false)) }
            if number == 1 { rules.append(Logic.equal(value, true)) }
            return Logic.any(rules)
        case .null: return Logic.isMissing(value)
        default:
            noteNumber(names)
            return Logic.all([Self.isNoArray(value), Logic.operation("==", [value, constant])])
        }
    }

    private mutating func membership(_ arguments: [FlagValue]) throws(Obstacle) -> FlagValue {
        if let names = Self.names(arguments[0]), case .array(let elements) = arguments[1] {
            var numbers: Set<Double> = []
            for element in elements {
                switch element {
                case .number: break
                // A number is in a list with a text of the number, or with any text if it is 0.
                case .string(let text):
                    let number = Self.number(text) ?? 0
                    if number.isFinite { numbers.insert(number) }
                default: throw obstacle("the list has other values than texts and numbers")
                }
            }
            for case .number(let number) in elements { numbers.remove(number.double) }
            let list = Array(elements) + numbers.sorted().map { .number(FlagNumber($0)) }
            return Logic.operation("in", [try variable(names), .array(FlagArray(list))])
        }
        guard case .string = arguments[0], let names = Self.names(arguments[1]) else {
            throw obstacle("the operator \"in\" needs an attribute in a list, or a text in an attribute")
        }
        note("\"\(names.joined(separator: "."))\" is an array with arrays inside")
        return Logic.operation("in", [arguments[0], try variable(names)])
    }

    private mutating func noteNumber(_ names: [String]) {
        note("\"\(names.joined(separator: "."))\" is the text of a number with spaces around it")
    }

    private static func isNoArray(_ value: FlagValue) -> FlagValue {
        Logic.not(Logic.equal(Logic.operation("merge", [value]), value))
    }

    /// Returns the names of a variable's path, or nil for another value.
    private static func names(_ value: FlagValue) -> [String]? {
        guard case .object(let object) = value, object.members.count == 1, object.members[0].name == "var" else {
            return nil
        }
        var name = object.members[0].value
        if case .array(let elements) = name, elements.count == 1 { name = elements[0] }
        guard case .string(let text) = name else { return nil }
        return text.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    }

    /// Returns the number that a text is read as, which may be infinite, or nil for a text that is no number.
    private static func number(_ text: String) -> Double? {
        if text.utf8.allSatisfy({ $0 == UInt8(ascii: " ") }) { return 0 }
        // Go reads hexadecimal numbers with an exponent only.
        let isHexadecimal = text.utf8.contains { $0 | 0x20 == UInt8(ascii: "x") }
        if isHexadecimal, !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "p") }) { return nil }
        return Double(text)
    }

    private static func shortened(_ value: FlagValue) -> String {
        let text = value.json
        return text.utf8.count <= 60 ? text : String(text.prefix(60)) + "…"
    }
}
