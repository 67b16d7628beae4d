internal import AlmanacTargeting

/// GO Feature Flag's evaluation of a query: of the text form as github.com/nikunjy/rules evaluates it, and of JSON
/// Logic as github.com/diegoholiveira/jsonlogic does.
struct GoffQueryReference {
    private enum Token: Equatable {
        case word(String)
        case constant(FlagValue)
        case version(String)
        case list([FlagValue])
        case mark(Character)
    }

    /// The constants of comparisons by the attribute.
    private(set) var constants: [String: [FlagValue]] = [:]
    private var tokens: [Token] = []
    private var logic: FlagValue?
    private let isEmpty: Bool

    init(_ query: String) {
        let text = query.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0.drop { $0 == " " }) }.joined()
        isEmpty = text.isEmpty
        if text.hasPrefix("{") {
            logic = try? FlagValue(json: text)
            if let logic { addConstants(of: logic) }
        } else {
            tokens = Self.tokens(of: text)
            for (index, token) in tokens.enumerated().dropFirst(2) {
                guard case .word(let name) = tokens[index - 2] else { continue }
                switch token {
                case .constant(let value): constants[name, default: []].append(value)
                case .version(let text): constants[name, default: []] += [.string(text), .string("v" + text), "1.10"]
                case .list(let values): constants[name, default: []] += values
                default: break
                }
            }
        }
    }

    func matches(_ attributes: [String: FlagValue]) -> Bool {
        if isEmpty { return true }
        if let logic { return Logic(attributes: attributes).truth(Logic(attributes: attributes).value(logic)) }
        var run = Run(tokens: tokens, attributes: attributes)
        return run.query(isLive: true)
    }

    private mutating func addConstants(of value: FlagValue) {
        guard case .object(let object) = value, let member = object.members.first else { return }
        guard case .array(let arguments) = member.value else { return addConstants(of: member.value) }
        var names: [String] = []
        var found: [FlagValue] = []
        for argument in arguments {
            addConstants(of: argument)
            if let name = Logic.name(argument) { names.append(name) } else { found.append(argument) }
            if case .array(let elements) = argument { found += Array(elements) }
        }
        for name in names { constants[name, default: []] += found }
    }

    private static func tokens(of text: String) -> [Token] {
        var (tokens, rest): ([Token], Substring) = ([], text[...])
        while let first = rest.first {
            if first == "\"" {
                tokens.append(.constant(.string(quoted(&rest))))
            } else if first == "[" {
                var values: [FlagValue] = []
                while let next = rest.first, next != "]" {
                    if next == "\"" {
                        values.append(.string(quoted(&rest)))
                    } else if next.isNumber || next == "-" {
                        let number = rest.prefix { !" ,]".contains($0) }
                        if let value = try? FlagValue(json: String(number)) { values.append(value) }
                        rest = rest.dropFirst(number.count)
                    } else {
                        rest = rest.dropFirst()
                    }
                }
                rest = rest.dropFirst()
                tokens.append(.list(values))
            } else if first == "(" || first == ")" {
                tokens.append(.mark(first))
                rest = rest.dropFirst()
            } else if first == " " {
                rest = rest.dropFirst()
            } else {
                let part = rest.prefix { !" ()".contains($0) }
                rest = rest.dropFirst(part.count)
                tokens.append(token(of: String(part)))
            }
        }
        return tokens
    }

    private static func token(of part: String) -> Token {
        if let value = try? FlagValue(json: part) { return .constant(value) }
        return part.first?.isNumber == true ? .version(part) : .word(part)
    }

    private static func quoted(_ rest: inout Substring) -> String {
        var text = ""
        rest = rest.dropFirst()
        while let next = rest.first, next != "\"" {
            let count = next == "\\" ? 2 : 1
            text += rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        rest = rest.dropFirst()
        return text
    }
}

extension GoffQueryReference {
    /// A walk through the tokens, which compares only where the result is open.
    private struct Run {
        let tokens: [Token]
        let attributes: [String: FlagValue]
        private var place = 0
        /// The attribute of the last comparison.
        private var last: FlagValue = nil

        init(tokens: [Token], attributes: [String: FlagValue]) {
            (self.tokens, self.attributes) = (tokens, attributes)
        }

        private mutating func next() -> Token? {
            guard place < tokens.count else { return nil }
            place += 1
            return tokens[place - 1]
        }

        mutating func query(isLive: Bool) -> Bool {
            var result = primary(isLive: isLive)
            while place < tokens.count, [.word("and"), .word("or")].contains(tokens[place]) {
                let isAnd = next() == .word("and")
                let other = primary(isLive: isLive && result == isAnd)
                if result == isAnd { result = other }
            }
            return result
        }

        private mutating func primary(isLive: Bool) -> Bool {
            switch next() {
            case .mark("(")?:
                let result = query(isLive: isLive)
                _ = next()
                return result
            case .word("not")?, .word("NOT")?: return !primary(isLive: isLive)
            case .word(let name)?: return compare(name, isLive: isLive)
            default: return false
            }
        }

        private mutating func compare(_ name: String, isLive: Bool) -> Bool {
            guard case .word(let operation)? = next() else { return false }
            let right = operation == "pr" ? nil : next()
            guard isLive else { return false }
            last = value(name)
            switch right {
            case nil: return last != nil
            case .constant(.null)?: return (last == nil) == (operation.lowercased() == "eq" || operation == "==")
            case .constant(.string(let text))?: return compareTexts(text, operation)
            case .constant(.number(let number))?: return compareNumbers(number, operation)
            case .constant(.bool(let flag))?:
                guard case .bool(let mine) = last else { return false }
                return ordered(mine ? 1 : 0, flag ? 1 : 0, operation)
            case .version(let text)?:
                guard case .string(let mine) = last, let left = Self.version(mine), let right = Self.version(text)
                else { return false }
                return ordered(Self.compare(left, right), 0, operation)
            case .list(let values)?: return last != nil && values.contains(last)
            default: return false
            }
        }

        /// Returns an attribute. A member of a missing object leaves the attribute of the comparison before.
        private func value(_ name: String) -> FlagValue {
            switch name {
            case "key", "targetingKey":
                if case .string? = attributes["targetingKey"] { return attributes["targetingKey"] ?? "" }
                return ""
            case "anonymous": return .bool(attributes[name] == true)
            default:
                if let value = attributes[name] { return value }
                guard let dot = name.firstIndex(of: ".") else { return nil }
                let parent = name[...dot]
                return attributes.keys.contains { $0.hasPrefix(parent) } ? nil : last
            }
        }

        private func compareTexts(_ text: String, _ operation: String) -> Bool {
            guard case .string(let mine) = last else { return false }
            let (left, right) = (Array(Self.lower(mine).utf8), Array(Self.lower(text).utf8))
            switch operation.lowercased() {
            case "sw": return left.starts(with: right)
            case "ew": return left.reversed().starts(with: right.reversed())
            case "co":
                if right.isEmpty { return true }
                return left.indices.contains { left[$0...].starts(with: right) }
            default:
                let order = left == right ? 0.0 : left.lexicographicallyPrecedes(right) ? -1 : 1
                return ordered(order, 0, operation)
            }
        }

        private static func lower(_ text: String) -> String {
            String(text.unicodeScalars.map { $0 == "\u{130}" ? "i" : $0.properties.lowercaseMapping }.joined())
        }

        private func compareNumbers(_ number: FlagNumber, _ operation: String) -> Bool {
            guard case .number(let mine) = last else { return false }
            let left = number.isWrittenAsInteger ? mine.double.rounded(.towardZero) : mine.double
            return ordered(left, number.double, operation)
        }

        private func ordered(_ left: Double, _ right: Double, _ operation: String) -> Bool {
            switch operation.lowercased() {
            case "eq", "==": left == right
            case "ne", "!=": left != right
            case "lt", "<": left < right
            case "le", "<=": left <= right
            case "gt", ">": left > right
            case "ge", ">=": left >= right
            default: false
            }
        }

        /// Returns the numbers and the identifiers of the prerelease, or nil for a text that is no semantic version.
        private static func version(_ text: String) -> (numbers: [UInt64], labels: [Substring])? {
            let withoutBuild = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)[0]
            let parts = withoutBuild.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            let digits = parts[0].split(separator: ".", omittingEmptySubsequences: false)
            let numbers = digits.compactMap { $0.count > 1 && $0.hasPrefix("0") ? nil : UInt64($0) }
            guard digits.count == 3, numbers.count == 3, !parts[0].contains("+") else { return nil }
            let labels = parts.dropFirst().flatMap { $0.split(separator: ".", omittingEmptySubsequences: false) }
            let areValid = labels.allSatisfy { label in
                !label.isEmpty && !(label.count > 1 && label.hasPrefix("0") && UInt64(label) != nil)
                    && label.utf8.allSatisfy { $0 == 45 || (48...57).contains($0) || (97...122).contains($0 | 32) }
            }
            return areValid ? (numbers, labels) : nil
        }

        private static func compare(
            _ left: (numbers: [UInt64], labels: [Substring]), _ right: (numbers: [UInt64], labels: [Substring])
        ) -> Double {
            for (mine, theirs) in zip(left.numbers, right.numbers) where mine != theirs {
                return mine < theirs ? -1 : 1
            }
            if left.labels.isEmpty || right.labels.isEmpty {
                return Double((left.labels.isEmpty ? 1 : 0) - (right.labels.isEmpty ? 1 : 0))
            }
            for (mine, theirs) in zip(left.labels, right.labels) where mine != theirs {
                switch (UInt64(mine), UInt64(theirs)) {
                case (let first?, let second?): return first < second ? -1 : 1
                case (.some, nil): return -1
                case (nil, .some): return 1
                default: return Array(mine.utf8).lexicographicallyPrecedes(Array(theirs.utf8)) ? -1 : 1
                }
            }
            return Double(left.labels.count - right.labels.count)
        }
    }

    /// JSON Logic as the Go library evaluates it.
    private struct Logic {
        let attributes: [String: FlagValue]

        static func name(_ value: FlagValue) -> String? {
            guard case .object(let object) = value, object.members.count == 1, object.members[0].name == "var" else {
                return nil
            }
            if case .array(let names) = object.members[0].value, case .string(let name)? = names.first { return name }
            if case .string(let name) = object.members[0].value { return name }
            return nil
        }

        func value(_ rule: FlagValue) -> FlagValue {
            guard case .object(let object) = rule, let member = object.members.first else { return rule }
            if let name = Self.name(rule) { return attribute(name) }
            var arguments = [member.value]
            if case .array(let elements) = member.value { arguments = Array(elements) }
            if member.name == "and" { return .bool(arguments.allSatisfy { truth(value($0)) }) }
            if member.name == "or" { return .bool(arguments.contains { truth(value($0)) }) }
            let values = arguments.map { value($0) }
            guard let first = values.first else { return nil }
            if member.name == "!" { return .bool(!truth(first)) }
            if member.name == "!!" { return .bool(truth(first)) }
            guard values.count > 1 else { return nil }
            if values.count == 3 {
                return .bool(compare(member.name, first, values[1]) && compare(member.name, values[1], values[2]))
            }
            return .bool(compare(member.name, first, values[1]))
        }

        private func attribute(_ name: String) -> FlagValue {
            switch name {
            case "key", "targetingKey":
                if case .string? = attributes["targetingKey"] { return attributes["targetingKey"] ?? "" }
                return ""
            case "anonymous": return .bool(attributes[name] == true)
            default: return attributes[name] ?? nil
            }
        }

        func truth(_ value: FlagValue) -> Bool {
            switch value {
            case .null: false
            case .bool(let flag): flag
            case .number(let number): number.double != 0
            case .string(let text): !text.isEmpty
            case .array(let elements): !elements.isEmpty
            case .object(let object): !object.members.isEmpty
            }
        }

        private func compare(_ operation: String, _ left: FlagValue, _ right: FlagValue) -> Bool {
            switch operation {
            case "==": equal(left, right)
            case "!=": !equal(left, right)
            case "===": left == right
            case "!==": left != right
            case "<": less(left, right)
            case ">": less(right, left)
            case "<=": less(left, right) || equal(left, right)
            case ">=": less(right, left) || equal(left, right)
            case "in": member(left, of: right)
            default: false
            }
        }

        private func equal(_ left: FlagValue, _ right: FlagValue) -> Bool {
            switch (left, right) {
            case (.null, _), (_, .null): left == nil && right == nil
            case (.string(let first), .string(let second)): Array(first.utf8) == Array(second.utf8)
            default: number(left) == number(right)
            }
        }

        private func less(_ left: FlagValue, _ right: FlagValue) -> Bool {
            if case .string(let first) = left, case .string(let second) = right {
                return first.utf8.lexicographicallyPrecedes(second.utf8)
            }
            return number(left) < number(right)
        }

        /// Returns a number, or NaN for arrays, objects, and texts that are no numbers.
        private func number(_ value: FlagValue) -> Double {
            switch value {
            case .null: 0
            case .bool(let flag): flag ? 1 : 0
            case .number(let number): number.double
            case .string(let text): text.allSatisfy { $0 == " " } ? 0 : decimal(text) ?? .nan
            default: .nan
            }
        }

        private func decimal(_ text: String) -> Double? {
            text.lowercased().contains("x") ? nil : Double(text)
        }

        private func member(_ value: FlagValue, of list: FlagValue) -> Bool {
            switch (list, value) {
            case (.string(let text), .string(let part)):
                let (whole, part) = (Array(text.utf8), Array(part.utf8))
                return part.isEmpty || whole.indices.contains { whole[$0...].starts(with: part) }
            case (.array(let elements), .number(let number)):
                return elements.contains { element in
                    if case .string(let text) = element { return (decimal(text) ?? 0) == number.double }
                    return element == .number(number)
                }
            case (.array(let elements), _): return elements.contains(value)
            default: return false
            }
        }
    }
}
