extension Evaluator {
    mutating func split(_ index: Int32, _ node: Program.Node) throws(EvaluationFault) -> FlagValue {
        switch try node.operation == .split ? choose(index, node) : chooseByScheme(index, node) {
        case .bucket(let bucket): try argument(program.nodes[Int(bucket)], 0)
        case .variant(let variant): variant
        }
    }

    /// The choice of a split: a bucket node, which contains a variant, or a variant.
    enum Choice {
        case bucket(Int32)
        case variant(FlagValue)
    }

    mutating func choose(_ index: Int32, _ node: Program.Node) throws(EvaluationFault) -> Choice {
        guard node.count > 0 else { return .variant(.null) }
        guard let (hash, first) = try hash(node) else {
            note(index, .nothingToSplitBy)
            return .variant(.null)
        }
        if node.shortcut >= 0, findings == nil, program.plainSplits[Int(node.shortcut)].first == first {
            try charge(Int(node.count) / 16)
            return .bucket(child(node, first + program.plainSplits[Int(node.shortcut)].bucket(of: hash)))
        }
        var total: Int64 = 0
        for place in first..<Int(node.count) {
            guard let weight = try bucket(node, place, wantsVariant: false).weight else { return .variant(.null) }
            total += weight
        }
        guard total > 0, total <= Int64(Int32.max) else { return .variant(.null) }
        let mine = Int64((UInt64(hash) * UInt64(total)) >> 32)
        var end: Int64 = 0
        for place in first..<Int(node.count) {
            let begin = end
            end += try bucket(node, place, wantsVariant: false).weight ?? 0
            guard mine < end else { continue }
            note(
                index, .split(share: Double(hash) / 0x1p32, bucket: place),
                bucket: BucketPlace(
                    number: place - first + 1, count: Int(node.count) - first,
                    begin: Double(begin) / Double(total), end: Double(end) / Double(total)))
            return .variant(try bucket(node, place, wantsVariant: true).variant)
        }
        return .variant(.null)
    }

    /// Chooses the range of the unit's bucket in another system's scheme.
    mutating func chooseByScheme(_ index: Int32, _ node: Program.Node) throws(EvaluationFault) -> Choice {
        let split = program.schemes[Int(node.detail)]
        guard let bucket = try bucket(of: split, child(node, 0)) else {
            note(index, .nothingToSplitBy)
            return .variant(.null)
        }
        try charge(split.ranges.count / 16)
        let range = split.range(of: bucket)
        note(index, .bucket(bucket, of: split.scheme.count, range: range))
        return range.map { .bucket(child(program.nodes[Int(child(node, 1))], $0)) } ?? .variant(.null)
    }

    /// Returns the bucket of the unit that a node yields, or nil if the scheme places no such unit.
    private mutating func bucket(of split: SchemeSplit, _ unit: Int32) throws(EvaluationFault) -> Int64? {
        let unit = SplitScheme.unit(try weighed(value(unit)))
        try charge(Digest.steps(forBytes: split.parameterBytes + (unit?.utf8.count ?? 0)))
        do throws(SplitScheme.MissingUnit) {
            return try split.scheme.bucket(of: unit)
        } catch {
            throw .noUnit
        }
    }

    /// Returns the variant of a bucket, if wanted, and its weight, or no weight if the argument is not a bucket.
    private mutating func bucket(
        _ split: Program.Node, _ place: Int, wantsVariant: Bool
    ) throws(EvaluationFault) -> (variant: FlagValue, weight: Int64?) {
        let index = child(split, place)
        let node = program.nodes[Int(index)]
        if node.operation == .bucket {
            guard (1...2).contains(node.count) else { return (.null, nil) }
            if wantsVariant { return (try argument(node, 0), 0) }
            return (.null, node.count == 1 ? 1 : try argument(node, 1).weight)
        }
        guard case .array(let parts) = try value(index), (1...2).contains(parts.count) else { return (.null, nil) }
        return (parts[0], parts.count == 1 ? 1 : parts[1].weight)
    }

    /// Returns the hash that a split uses and the index of its first bucket, or nil if there is nothing to hash.
    private mutating func hash(_ node: Program.Node) throws(EvaluationFault) -> (UInt32, Int)? {
        let index = child(node, 0)
        let operation = program.nodes[Int(index)].operation
        if operation == .bucket { return try hashOfCaller().map { ($0, 0) } }
        if operation == .join, let hash = try hashOfJoined(program.nodes[Int(index)]) { return (hash, 1) }
        let key = try weighed(value(index))
        var murmur = Murmur3()
        switch (version, key) {
        case (_, .array): return try hashOfCaller().map { ($0, 0) }
        case (.version2, .string(let text)):
            if text.utf8.isEmpty { return nil }
            murmur.add(text)
        case (.version2, .null): return try hashOfCaller().map { ($0, 1) }
        // Version 2 treats any other value as an invalid bucket, so the split chooses nothing.
        case (.version2, _): return nil
        case (.version3, .null): return nil
        case (.version3, _): murmur.add(cbor: key)
        }
        return (murmur.hash, 1)
    }

    /// Returns the hash of the flag's key and the user's targeting key.
    private mutating func hashOfCaller() throws(EvaluationFault) -> UInt32? {
        let caller = caller
        guard !caller.isEmpty else { return nil }
        try charge(caller.count / 16)
        var murmur = place.map { program.heads[$0].hash } ?? Murmur3(flag: ownKey, version)
        if version == .version3 { murmur.add(textOf: caller.count) }
        murmur.add(caller.span)
        return murmur.hash
    }

    /// Returns the hash of joined texts without joining them, or nil if a part needs evaluation.
    private mutating func hashOfJoined(_ node: Program.Node) throws(EvaluationFault) -> UInt32? {
        var length = 0
        for place in 0..<Int(node.count) {
            switch program.nodes[Int(child(node, place))].operation {
            case .literal, .variable, .flagKey:
                let part = try operand(node, place)
                // Converting an array to text is slow, and the text is needed twice here.
                if case .array = part { return nil }
                length += part.joinedText.utf8.count
            default: return nil
            }
        }
        if version == .version2, length == 0 { return nil }
        var murmur = Murmur3()
        if version == .version3 { murmur.add(textOf: length) }
        for place in 0..<Int(node.count) { murmur.add(try argument(node, place).joinedText) }
        return murmur.hash
    }

    mutating func ramp(_ index: Int32, _ node: Program.Node) throws(EvaluationFault) -> FlagValue {
        let weight = program.ramps[Int(node.detail)].weight(at: Instant(seconds: now))
        guard let isIn = try isInside(node, weight) else {
            note(index, .nothingToSplitBy)
            return try argument(node, 1)
        }
        note(index, .ramp(percent: Double(weight) / 1000, isIn: isIn))
        return try argument(node, isIn ? 0 : 1)
    }

    /// Returns true if the user is in a part of all users, or nil if there is nothing to hash.
    private mutating func isInside(_ node: Program.Node, _ weight: Int) throws(EvaluationFault) -> Bool? {
        if let split = program.ramps[Int(node.detail)].scheme {
            return try bucket(of: split, child(node, 2)).map { split.scheme.holds($0, within: weight) }
        }
        var hash = try hashOfCaller()
        if node.count > 2 {
            let key = try operand(node, 2)
            var murmur = Murmur3()
            switch (version, key) {
            case (_, .null), (_, .array): hash = nil
            case (.version2, _): murmur.add(key.text)
            case (.version3, _): murmur.add(cbor: key)
            }
            if case .null = key {} else if case .array = key {} else { hash = murmur.hash }
        }
        return hash.map { Int((UInt64($0) * UInt64(Ramp.total)) >> 32) < weight }
    }
}
