extension Evaluator {
    /// What `var` finds at a path; nil for null too.
    func variable(_ path: [String]) -> FlagValue? {
        var value: FlagValue
        // How many names are gone.
        var place = 1
        switch scope {
        case .context:
            guard let name = path.first else { return everything }
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
            guard let name = path.first else { return everything }
            if name.hasBytes(of: "current") {
                value = current
            } else if name.hasBytes(of: "accumulator") {
                value = accumulator
            } else {
                return nil
            }
        }
        while place < path.count {
            guard let found = Evaluator.member(path[place], of: value) else { return nil }
            value = found
            place += 1
        }
        if case .null = value { return nil }
        return value
    }

    private static func member(_ name: String, of value: FlagValue) -> FlagValue? {
        switch value {
        case .object(let object): return object[name]
        case .array(let elements):
            if name.hasBytes(of: "length") { return .number(FlagNumber(Int64(elements.count))) }
            guard let index = Int(name), index.description.hasBytes(of: name), elements.indices.contains(index) else {
                return nil
            }
            return elements[index]
        case .string(let text):
            return name.hasBytes(of: "length") ? .number(FlagNumber(Int64(text.unicodeScalars.count))) : nil
        default: return nil
        }
    }

    /// All that `var` looks at.
    var everything: FlagValue {
        switch scope {
        case .context:
            let own = context.attributes.members.filter { !$0.name.hasBytes(of: "$flagd") }
            return .object(FlagObject(own + [FlagObject.Member("$flagd", flagd)]) ?? FlagObject())
        case .element(let element): return element
        case .reduction(let current, let accumulator):
            return .object(
                FlagObject([FlagObject.Member("current", current), FlagObject.Member("accumulator", accumulator)])
                    ?? FlagObject())
        }
    }

    private var flagd: FlagValue {
        .object(
            FlagObject([
                FlagObject.Member("flagKey", .string(key)),
                FlagObject.Member("timestamp", .number(FlagNumber(now))),
            ]) ?? FlagObject())
    }

    /// What is put into the context, where that is looked at.
    func injected(_ value: FlagValue, _ node: Program.Node) -> FlagValue {
        if case .context = scope { return value }
        return variable(program.paths[Int(node.detail)]) ?? .null
    }

    /// Those of the names at which there is nothing.
    mutating func missing(_ names: [FlagValue]) throws(EvaluationFault) -> [FlagValue] {
        var names = names
        if case .array(let inner)? = names.first { names = inner }
        var missing: [FlagValue] = []
        for name in names {
            let text = name.text
            try spend(text.utf8.count)
            switch text.utf8.isEmpty ? nil : variable(RuleCompiler.path(text)) {
            case nil: missing.append(name)
            case .string(let found)? where found.utf8.isEmpty: missing.append(name)
            default: break
            }
        }
        return missing
    }

    mutating func missingSome(_ node: Program.Node) throws(EvaluationFault) -> FlagValue {
        let wanted = try argument(node, 0).double
        guard case .array(let names) = try argument(node, 1) else { return [] }
        let missing = try missing([.array(names)])
        return Double(names.count - missing.count) >= wanted ? [] : .array(missing)
    }
}
