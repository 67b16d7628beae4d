extension RuleCompiler {
    /// Compiles `fractional`: an optional key instead of the targeting key, and buckets of a variant and a weight.
    mutating func split(_ known: Operator, _ arguments: FlagArray, _ isBare: Bool) throws(FlagFault) -> Int32 {
        var nodes: [Int32] = []
        for (index, argument) in arguments.enumerated() {
            if !isBare { path.append(index.description) }
            defer { if !isBare { path.removeLast() } }
            guard case .array(let parts) = argument else {
                checkKey(argument, isFirst: index == 0, count: arguments.count)
                nodes.append(try node(argument))
                continue
            }
            checkBucket(parts)
            var children: [Int32] = []
            for (place, part) in parts.enumerated() {
                path.append(place.description)
                defer { path.removeLast() }
                children.append(try node(part))
            }
            nodes.append(builder.add(.bucket, children))
        }
        return builder.add(.split, nodes, name: known.name, isBare: isBare)
    }

    private mutating func checkKey(_ key: FlagValue, isFirst: Bool, count: Int) {
        if case .object = key, isFirst {
            if count == 1 { note("expected at least one variant with a weight") }
        } else {
            note("flagd's schema expects a rule for the key, followed by arrays of a variant and a weight")
        }
    }

    private mutating func checkBucket(_ parts: FlagArray) {
        guard (1...2).contains(parts.count) else { return note("expected a variant and a weight") }
        if case .array = parts[0] { note("expected a variant that is not an array") }
        guard parts.count == 2 else { return }
        switch parts[1] {
        case .object: break
        case .number(let weight):
            if weight.double < 0 || weight.double != weight.double.rounded(.towardZero)
                || weight.double > Double(Int32.max)
            {
                note("expected a weight that is a whole number from 0 to 2147483647")
            }
        default: note("expected a number as the weight")
        }
    }

    /// Compiles `almanac.ramp`: an optional key instead of the targeting key, the points, the value for users inside,
    /// and the value for users outside.
    mutating func ramp(_ known: Operator, _ arguments: FlagArray) throws(FlagFault) -> Int32 {
        var key: FlagValue?
        var rest = arguments[...]
        if let first = rest.first, case .array = first {} else { key = rest.popFirst() }
        guard (2...3).contains(rest.count), let ramp = Ramp(rest.removeFirst()) else {
            throw fault(
                "expected an optional key, up to \(Ramp.maxPoints) points as "
                    + "[\"2026-07-01T09:00:00Z\", percent from 0 to 100] in the order of time, the value inside the "
                    + "ramp, and optionally the value outside")
        }
        let place = rest.startIndex
        var nodes: [Int32] = []
        for value in Array(rest) + [FlagValue.null].prefix(2 - rest.count) + (key.map { [$0] } ?? []) {
            nodes.append(try node(value))
        }
        builder.ramps.append(ramp)
        readsTime = true
        let index = builder.add(.ramp, nodes, detail: builder.ramps.count - 1, name: known.name)
        for (slot, node) in zip([place, place + 1, 0], nodes) { builder.origins[Int(node)].slot = Int32(slot) }
        return index
    }
}
