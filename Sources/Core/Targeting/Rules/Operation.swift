/// The operation of a node in a compiled rule.
enum Operation: UInt8, Sendable {
    // Constant values.
    case literal, list
    // The context.
    case variable, computedVariable, everything, flagKey, timestamp, missing, missingSome
    // Logic.
    case choice, and, or, not, truth
    case equal, notEqual, same, notSame, less, lessOrEqual, greater, greaterOrEqual
    // Numbers.
    case add, multiply, subtract, divide, remainder, minimum, maximum
    // Texts and arrays.
    case join, substring, merge, member, literalMember, lower, hashed
    case map, filter, reduce, all, some, none
    // flagd's operators.
    case startsWith, endsWith, version, split, bucket, reference
    // Almanac's operators.
    case date, pattern, network, numericVersion, paddedVersion, flag, ramp, schemeSplit
}

/// An operator in the syntax of rules.
struct Operator: Sendable {
    let name: StaticString
    let operation: Operation
    let arguments: ClosedRange<Int>
    /// True if flagd's schema allows one argument without an array around it.
    var mayBeBare = false
    /// True if flagd's schema or Almanac defines the operator.
    var isInSchema = true

    static func named(_ name: String) -> Operator? {
        for entry in all where name.hasBytes(of: entry.name.description) { return entry }
        return nil
    }

    private static let any = 1...Int.max

    private static let all: [Operator] = [
        Operator(name: "var", operation: .variable, arguments: any, mayBeBare: true),
        Operator(name: "if", operation: .choice, arguments: any),
        Operator(name: "==", operation: .equal, arguments: 2...2),
        Operator(name: "in", operation: .member, arguments: 2...2),
        Operator(name: "and", operation: .and, arguments: any), Operator(name: "or", operation: .or, arguments: any),
        Operator(name: "!", operation: .not, arguments: 1...1, mayBeBare: true),
        Operator(name: "!!", operation: .truth, arguments: 1...1, mayBeBare: true),
        Operator(name: "!=", operation: .notEqual, arguments: 2...2),
        Operator(name: "===", operation: .same, arguments: 2...2),
        Operator(name: "!==", operation: .notSame, arguments: 2...2),
        Operator(name: "<", operation: .less, arguments: 2...3),
        Operator(name: "<=", operation: .lessOrEqual, arguments: 2...3),
        Operator(name: ">", operation: .greater, arguments: 2...2),
        Operator(name: ">=", operation: .greaterOrEqual, arguments: 2...2),
        Operator(name: "fractional", operation: .split, arguments: any),
        Operator(name: "sem_ver", operation: .version, arguments: 3...3),
        Operator(name: "starts_with", operation: .startsWith, arguments: 2...2),
        Operator(name: "ends_with", operation: .endsWith, arguments: 2...2),
        Operator(name: "$ref", operation: .reference, arguments: 1...1, mayBeBare: true),
        Operator(name: "cat", operation: .join, arguments: any), Operator(name: "+", operation: .add, arguments: any),
        Operator(name: "-", operation: .subtract, arguments: any),
        Operator(name: "*", operation: .multiply, arguments: 2...Int.max),
        Operator(name: "/", operation: .divide, arguments: 2...2),
        Operator(name: "%", operation: .remainder, arguments: 2...2),
        Operator(name: "min", operation: .minimum, arguments: any),
        Operator(name: "max", operation: .maximum, arguments: any),
        Operator(name: "substr", operation: .substring, arguments: 2...3),
        Operator(name: "merge", operation: .merge, arguments: any),
        Operator(name: "missing", operation: .missing, arguments: 0...Int.max),
        Operator(name: "missing_some", operation: .missingSome, arguments: 2...2),
        Operator(name: "map", operation: .map, arguments: 2...2),
        Operator(name: "filter", operation: .filter, arguments: 2...2),
        Operator(name: "reduce", operation: .reduce, arguments: 3...3),
        Operator(name: "all", operation: .all, arguments: 2...2),
        Operator(name: "some", operation: .some, arguments: 2...2),
        Operator(name: "none", operation: .none, arguments: 2...2),
        Operator(name: "?:", operation: .choice, arguments: 3...3, isInSchema: false),
        Operator(name: "almanac.date", operation: .date, arguments: 3...3),
        Operator(name: "almanac.matches", operation: .pattern, arguments: 2...2),
        Operator(name: "almanac.flag", operation: .flag, arguments: 1...1, mayBeBare: true),
        Operator(name: "almanac.ramp", operation: .ramp, arguments: 2...5),
        Operator(name: "almanac.split", operation: .schemeSplit, arguments: 3...3),
        Operator(name: "almanac.lower", operation: .lower, arguments: 1...1, mayBeBare: true),
        Operator(name: "almanac.network", operation: .network, arguments: 2...2),
        Operator(name: "almanac.version", operation: .numericVersion, arguments: 3...3),
        Operator(name: "almanac.padded", operation: .paddedVersion, arguments: 3...3),
        Operator(name: "almanac.hashed", operation: .hashed, arguments: 2...3),
    ]
}
