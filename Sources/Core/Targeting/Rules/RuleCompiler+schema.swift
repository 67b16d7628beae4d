// Rules that can be evaluated although flagd's schema (flagd-schemas, targeting.json) refuses them.
extension RuleCompiler {
    mutating func check(_ known: Operator, _ arguments: FlagArray, isBare: Bool) {
        if !known.isInSchema { note("flagd's schema has no such operator; use \"if\"") }
        if isBare, !known.mayBeBare { note("expected an array of arguments") }
        if !known.arguments.contains(arguments.count) {
            let (least, most) = (known.arguments.lowerBound, known.arguments.upperBound)
            note(
                "expected \(least)" + (least == most ? "" : most == .max ? " or more" : " to \(most)")
                    + " arguments, found \(arguments.count)")
        }
        switch known.operation {
        case .missing: if !arguments.allSatisfy({ $0.isText }) { note("expected names of attributes") }
        case .missingSome:
            guard arguments.count == 2, case .number = arguments[0], case .array(let names) = arguments[1],
                names.allSatisfy({ $0.isText })
            else { return note("expected a number and an array of names") }
        case .startsWith, .endsWith:
            for argument in arguments where !argument.isText && !argument.isRule { note("expected texts or rules") }
        case .version: checkVersion(arguments)
        case .date:
            if arguments.count == 3, SemanticVersion.Relation(orders: arguments[1]) == nil {
                note("expected one of = != < <= > >= between two times")
            }
        case .paddedVersion:
            if arguments.count == 3, SemanticVersion.Relation(orders: arguments[1]) == nil {
                note("expected one of = != < <= > >= between two versions")
            }
        case .hashed:
            if arguments.count > 1, arguments[1].salt == nil {
                note("expected a text, or an array of texts, as the salt")
            }
        default: break
        }
    }

    private mutating func checkVersion(_ arguments: FlagArray) {
        guard arguments.count == 3 else { return }
        if case .string(let relation) = arguments[1], SemanticVersion.Relation(relation) != nil {
        } else {
            note("expected one of = != < <= > >= ^ ~ between two versions")
        }
        for index in [0, 2] {
            switch arguments[index] {
            case .object: break
            case .string(let text):
                let points = text.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }
                    .count { $0 == UInt8(ascii: ".") }
                let isPlain = text.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
                if SemanticVersion(text) == nil || points != 2 || !isPlain { note("expected a version such as 2.10.0") }
            default: note("expected a version as a text, or a rule")
            }
        }
    }
}

extension SemanticVersion.Relation {
    /// Creates a relation between times, or nil for other relations.
    init?(orders value: FlagValue) {
        guard case .string(let text) = value, let relation = SemanticVersion.Relation(text) else { return nil }
        switch relation {
        case .sameMajor, .sameMinor: return nil
        default: self = relation
        }
    }

    /// Compares two values. The relations of semantic versions count as equality.
    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .notEqual: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        case .equal, .sameMajor, .sameMinor: left == right
        }
    }
}

extension FlagValue {
    /// The salt of a hash: a text, or the texts of an array joined, or nil for other values.
    var salt: String? {
        switch self {
        case .string(let text): return text
        case .array(let elements):
            var salt = ""
            for element in elements {
                guard case .string(let text) = element else { return nil }
                salt += text
            }
            return salt
        default: return nil
        }
    }

    fileprivate var isText: Bool { if case .string = self { true } else { false } }

    fileprivate var isRule: Bool { if case .object = self { true } else { false } }
}
