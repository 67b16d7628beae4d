extension Evaluator {
    mutating func path(_ text: String) throws(EvaluationFault) -> [String] {
        try charge(text.utf8.count)
        return RuleCompiler.path(text)
    }

    /// Returns the value of a `var` at a path, or nil if the value is missing or null.
    mutating func variable(_ path: [String]) throws(EvaluationFault) -> FlagValue? {
        try charge(path.reduce(context.attributes.stepsToFind + path.count / 16) { $0 + $1.utf8.count / 16 })
        var value: FlagValue
        // The number of names already resolved.
        var place = 1
        switch scope {
        case .context:
            guard let name = path.first else { return try wholeScope() }
            if name.hasBytes(of: "$flagd") {
                value = flagd
            } else {
                guard let found = context.attributes[name] else { return nil }
                value = found
            }
        case .element(let element):
            value = element
            place = 0
        case .reduction(let current, let accumulator):
            guard let name = path.first else { return try wholeScope() }
            if name.hasBytes(of: "current") {
                value = current
            } else if name.hasBytes(of: "accumulator") {
                value = accumulator
            } else {
                return nil
            }
        }
        while place < path.count {
            guard let found = try member(path[place], of: value) else { return nil }
            value = found
            place += 1
        }
        if case .null = value { return nil }
        return value
    }

    private mutating func member(_ name: String, of value: FlagValue) throws(EvaluationFault) -> FlagValue? {
        switch value {
        case .object(let object): return object[name]
        case .array(let elements):
            if name.hasBytes(of: "length") { return .number(FlagNumber(Int64(elements.count))) }
            guard let index = Int(name), index.description.hasBytes(of: name), elements.indices.contains(index) else {
                return nil
            }
            return elements[index]
        case .string(let text):
            guard name.hasBytes(of: "length") else { return nil }
            try charge(value.size)
            return .number(FlagNumber(Int64(text.unicodeScalars.count)))
        default: return nil
        }
    }

    /// Returns the whole value that `var` reads from.
    mutating func wholeScope() throws(EvaluationFault) -> FlagValue {
        let members: [FlagObject.Member]
        switch scope {
        case .context:
            // Sorting the members reads each name several times, so it costs more than reading each member once.
            let attributes = context.attributes.members
            try charge(8 * attributes.count)
            try charge(attributes.reduce(0) { $0 + $1.name.utf8.count / 4 })
            let own = attributes.filter { !$0.name.hasBytes(of: "$flagd") }
            members = own + [FlagObject.Member("$flagd", flagd)]
        case .element(let element): return element
        case .reduction(let current, let accumulator):
            try charge(8)
            members = [FlagObject.Member("current", current), FlagObject.Member("accumulator", accumulator)]
        }
        return try bounded(.object(FlagObject(members) ?? FlagObject()))
    }

    private var flagd: FlagValue {
        .object(
            FlagObject([
                FlagObject.Member("flagKey", .string(key)), FlagObject.Member("timestamp", .number(FlagNumber(now))),
            ]) ?? FlagObject())
    }

    /// Returns a value of `$flagd` in the context; inside an array operator, the element's value at the same path.
    mutating func injected(_ value: FlagValue, _ node: Program.Node) throws(EvaluationFault) -> FlagValue {
        if case .context = scope { return value }
        return try variable(program.paths[Int(node.detail)]) ?? .null
    }

    /// Returns the names whose value is missing, null or an empty text.
    mutating func missing(_ names: some Sequence<FlagValue>) throws(EvaluationFault) -> [FlagValue] {
        var missing: [FlagValue] = []
        for name in names {
            try charge(1)
            let text = try weighed(name).text
            switch text.utf8.isEmpty ? nil : try variable(path(text)) {
            case nil: missing.append(name)
            case .string(let found)? where found.utf8.isEmpty: missing.append(name)
            default: break
            }
        }
        return missing
    }

    /// Returns the missing names among the arguments, or among the elements of the first argument if it is an array.
    mutating func missing(_ node: Program.Node) throws(EvaluationFault) -> [FlagValue] {
        let names = try arguments(node)
        if case .array(let inner)? = names.first { return try missing(inner) }
        return try missing(names)
    }

    mutating func missingSome(_ node: Program.Node) throws(EvaluationFault) -> FlagValue {
        let wanted = try operand(node, 0).double
        guard case .array(let names) = try argument(node, 1) else { return [] }
        let missing = try missing(names)
        return Double(names.count - missing.count) >= wanted ? [] : try array(missing)
    }
}
