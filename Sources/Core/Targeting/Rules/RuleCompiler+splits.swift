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

    /// Compiles `almanac.split`: the parameters of a scheme, the unit, and ranges of buckets with their results.
    mutating func schemeSplit(_ known: Operator, _ arguments: FlagArray) throws(FlagFault) -> Int32 {
        guard arguments.count == 3, case .object(let parameters) = arguments[0], case .array(let ranges) = arguments[2]
        else { throw fault("expected the parameters of a scheme, the unit, and an array of ranges") }
        var split = try self.split(parameters)
        let unit = try at(1, arguments[1])
        path.append("2")
        defer { path.removeLast() }
        var nodes: [Int32] = []
        for (index, range) in ranges.enumerated() {
            path.append(index.description)
            defer { path.removeLast() }
            guard case .array(let parts) = range, parts.count == 3, let from = Self.bound(parts[0], of: split.scheme),
                let to = Self.bound(parts[1], of: split.scheme), from <= to
            else {
                throw fault(
                    "expected [from, to, result] with whole numbers in order, from -1 to \(split.scheme.count)")
            }
            split.ranges.append((from, to))
            let result = try at(2, parts[2])
            nodes.append(builder.add(.bucket, [result]))
            builder.origins[Int(result)].slot = 2
        }
        builder.schemes.append(split)
        let list = builder.add(.list, nodes)
        let index = builder.add(
            .schemeSplit, [unit, list], detail: builder.schemes.count - 1, name: known.name)
        builder.origins[Int(unit)].slot = 1
        builder.origins[Int(list)].slot = 2
        return index
    }

    private static func bound(_ value: FlagValue, of scheme: SplitScheme) -> Int64? {
        guard case .number(let number) = value, number.double == number.double.rounded(.towardZero),
            (-1.0...Double(scheme.count)).contains(number.double)
        else { return nil }
        return Int64(number.double)
    }

    /// Reads the parameters of a scheme, which are the first argument.
    private mutating func split(_ parameters: FlagObject) throws(FlagFault) -> SchemeSplit {
        path.append("0")
        defer { path.removeLast() }
        let maxBytes = RuleLimits.maxSchemeBytes
        let length = FlagValue.object(parameters).json(upTo: maxBytes).utf8.count
        guard length <= maxBytes else {
            throw fault("the parameters of a scheme must have at most \(maxBytes) bytes as JSON")
        }
        do throws(SplitScheme.Fault) {
            return SchemeSplit(
                scheme: try SplitScheme(parameters), name: parameters[SplitScheme.nameMember]?.text ?? "",
                parameterBytes: length)
        } catch {
            throw fault(error.message)
        }
    }

    /// Compiles `almanac.ramp`: an optional key instead of the targeting key, or a scheme and its unit, then the
    /// points, the value for users inside, and the value for users outside.
    mutating func ramp(_ known: Operator, _ arguments: FlagArray) throws(FlagFault) -> Int32 {
        var key: (place: Int, value: FlagValue)?
        var place = 0
        var split: SchemeSplit?
        if case .object(let parameters)? = arguments.first, parameters[SplitScheme.nameMember] != nil {
            split = try self.split(parameters)
            key = (1, arguments.count > 1 ? arguments[1] : .null)
            place = 2
        } else if let first = arguments.first {
            if case .array = first {} else { (key, place) = ((0, first), 1) }
        }
        var rest = arguments.dropFirst(place)
        guard (2...3).contains(rest.count), var ramp = Ramp(rest.removeFirst()) else {
            throw fault(
                "expected an optional key, or a scheme and its unit; up to \(Ramp.maxPoints) points as "
                    + "[\"2026-07-01T09:00:00Z\", percent from 0 to 100] in the order of time, the value inside the "
                    + "ramp, and optionally the value outside")
        }
        var nodes: [Int32] = []
        for value in Array(rest) + [FlagValue.null].prefix(2 - rest.count) + (key.map { [$0.value] } ?? []) {
            nodes.append(try node(value))
        }
        ramp.scheme = split
        builder.ramps.append(ramp)
        readsTime = true
        let index = builder.add(.ramp, nodes, detail: builder.ramps.count - 1, name: known.name)
        for (slot, node) in zip([place + 1, place + 2, key?.place ?? 0], nodes) {
            builder.origins[Int(node)].slot = Int32(slot)
        }
        return index
    }
}
