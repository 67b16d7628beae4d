internal import AlmanacTargeting

/// Rules in JSON Logic, as Almanac evaluates them (deploy/operating/flag-rules.md).
///
/// A comparison that another system makes only between values of one type needs a guard, because JSON Logic converts
/// values: `<` reads texts and null as numbers.
enum Logic {
    static func operation(_ name: String, _ arguments: [FlagValue]) -> FlagValue {
        object([FlagObject.Member(name, .array(FlagArray(arguments)))])
    }

    static func variable(_ path: [String]) -> FlagValue {
        object([FlagObject.Member("var", .string(path.joined(separator: ".")))])
    }

    static func shared(_ name: String) -> FlagValue { object([FlagObject.Member("$ref", .string(name))]) }

    /// True if each rule is true.
    static func all(_ rules: [FlagValue]) -> FlagValue {
        rules.count == 1 ? rules[0] : rules.isEmpty ? true : operation("and", rules)
    }

    /// True if a rule is true.
    static func any(_ rules: [FlagValue]) -> FlagValue {
        rules.count == 1 ? rules[0] : rules.isEmpty ? false : operation("or", rules)
    }

    static func not(_ rule: FlagValue) -> FlagValue { operation("!", [rule]) }

    /// The result of the first branch whose condition is true, or the last result.
    static func first(_ branches: [(condition: FlagValue, result: FlagValue)], otherwise: FlagValue) -> FlagValue {
        branches.isEmpty ? otherwise : operation("if", branches.flatMap { [$0.condition, $0.result] } + [otherwise])
    }

    static func equal(_ left: FlagValue, _ right: FlagValue) -> FlagValue { operation("===", [left, right]) }

    static func isMissing(_ value: FlagValue) -> FlagValue { equal(value, nil) }

    static func isText(_ value: FlagValue) -> FlagValue { equal(operation("cat", [value]), value) }

    static func isNumber(_ value: FlagValue) -> FlagValue { equal(operation("+", [value]), value) }

    /// Creates an object of members whose names differ.
    static func object(_ members: [FlagObject.Member]) -> FlagValue {
        guard let object = FlagObject(members) else { preconditionFailure("two members have one name") }
        return .object(object)
    }
}
