extension Evaluator {
    mutating func number(_ node: Program.Node) throws(EvaluationFault) -> FlagValue {
        let count = Int(node.count)
        var result: Double
        switch node.operation {
        case .add, .multiply:
            let adds = node.operation == .add
            result = adds ? 0 : 1
            for place in 0..<count {
                let next = try operand(node, place).double
                result = adds ? result + next : result * next
            }
        case .minimum, .maximum:
            let wantsLeast = node.operation == .minimum
            result = wantsLeast ? .infinity : -.infinity
            for place in 0..<count {
                let next = try operand(node, place).double
                if next.isNaN || result.isNaN {
                    result = .nan
                } else {
                    result = wantsLeast ? min(result, next) : max(result, next)
                }
            }
        default:
            let left = try operand(node, 0).double
            let right = try operand(node, 1)
            switch node.operation {
            case .subtract: if case .null = right { result = -left } else { result = left - right.double }
            case .divide: result = left / right.double
            default: result = left.truncatingRemainder(dividingBy: right.double)
            }
        }
        return .number(FlagNumber(result))
    }

    mutating func text(_ node: Program.Node) throws(EvaluationFault) -> FlagValue {
        switch node.operation {
        case .join:
            var joined = ""
            for place in 0..<Int(node.count) { joined += try operand(node, place).joinedText }
            return .string(joined)
        case .merge:
            var merged: [FlagValue] = []
            for place in 0..<Int(node.count) {
                let next = try argument(node, place)
                if case .array(let elements) = next {
                    try charge(elements.count)
                    merged += elements
                } else {
                    merged.append(next)
                }
            }
            return try array(merged)
        case .lower:
            guard case .string(let text) = try operand(node, 0) else { return .null }
            // Converting a text takes longer than reading it.
            try charge(text.utf8.count / 4)
            return .string(text.lowercased())
        case .hashed: return try hashed(node)
        default: return .string(try substring(node))
        }
    }

    /// Returns the SHA-256 of a text followed by a salt, in hexadecimal digits. With a number of bytes, only the first
    /// bytes of the text are hashed, or with a negative number its last ones, or nothing if the text is shorter.
    private mutating func hashed(_ node: Program.Node) throws(EvaluationFault) -> FlagValue {
        guard case .string(let text) = try operand(node, 0), let salt = try operand(node, 1).salt else { return .null }
        var bytes = Array(text.utf8)
        if node.count > 2 {
            guard case .number(let number) = try operand(node, 2), number.double.magnitude <= Double(bytes.count),
                number.double == number.double.rounded(.towardZero)
            else { return .null }
            let count = Int(number.double)
            bytes = Array(count < 0 ? bytes.suffix(-count) : bytes.prefix(count))
        }
        bytes += salt.utf8
        try charge(Digest.steps(forBytes: bytes.count))
        return .string(Digest.hexadecimal(Digest.sha256(bytes.span)))
    }

    private mutating func substring(_ node: Program.Node) throws(EvaluationFault) -> String {
        let scalars = try operand(node, 0).text.unicodeScalars
        let count = scalars.count
        let wanted = Evaluator.integer(try operand(node, 1).double, within: count)
        let start = wanted < 0 ? max(0, count + wanted) : wanted
        var end = count
        if node.count > 2 {
            let length = Evaluator.integer(try operand(node, 2).double, within: count)
            end = length < 0 ? max(start, count + length) : min(count, start + length)
        }
        let from = scalars.index(scalars.startIndex, offsetBy: start)
        // A slice is copied as bytes. A sequence of scalars would be appended scalar by scalar.
        return String(Substring(scalars[from..<scalars.index(from, offsetBy: end - start)]))
    }

    /// Truncates a number to an integer whose magnitude is at most the count. NaN becomes 0.
    private static func integer(_ number: Double, within count: Int) -> Int {
        number.isNaN ? 0 : Int(max(-Double(count), min(Double(count), number.rounded(.towardZero))))
    }

    /// Evaluates an operator that applies a rule to each element of an array; `var` reads the element.
    mutating func iteration(_ node: Program.Node) throws(EvaluationFault) -> FlagValue {
        let list = try argument(node, 0)
        var elements: FlagArray = []
        if case .array(let own) = list { elements = own }
        if node.operation == .reduce { return try reduction(node, elements) }
        guard node.count > 1 else { return node.operation == .map || node.operation == .filter ? [] : false }
        let rule = child(node, 1)
        let outer = scope
        defer { scope = outer }
        var results: [FlagValue] = []
        for element in elements {
            try charge(1)
            scope = .element(element)
            let result = try value(rule)
            switch node.operation {
            case .map: results.append(result)
            case .filter: if result.isTrue { results.append(element) }
            case .all: if !result.isTrue { return false }
            case .some: if result.isTrue { return true }
            default: if result.isTrue { return false }
            }
        }
        switch node.operation {
        case .map, .filter: return try array(results)
        case .all: return .bool(!elements.isEmpty)
        case .some: return false
        default: return true
        }
    }

    private mutating func reduction(_ node: Program.Node, _ elements: FlagArray) throws(EvaluationFault) -> FlagValue {
        var accumulator = try argument(node, 2)
        guard node.count > 1 else { return accumulator }
        let rule = child(node, 1)
        let outer = scope
        defer { scope = outer }
        for element in elements {
            try charge(1)
            scope = .reduction(current: element, accumulator: accumulator)
            accumulator = try value(rule)
        }
        return accumulator
    }
}
