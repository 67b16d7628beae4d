internal import AlmanacTargeting

// Conditions as rules.
extension FirebaseReader {
    mutating func rule(of condition: SourceNode) throws(Obstacle) -> FlagValue {
        if let tree = condition["condition"] { return try rule(ofTree: tree, level: 0) }
        guard let node = condition["expression"], let text = node.text else {
            throw condition.obstacle("the condition has no expression")
        }
        do throws(FirebaseExpression.Fault) {
            let atoms = try FirebaseExpression.atoms(text)
            for atom in atoms { noteDifferences(of: atom) }
            if let pattern = atoms.compactMap({ Self.unknownPattern($0) }).first { throw Self.fault(pattern) }
            return Logic.all(atoms.map { rule($0, isOfServer: false) })
        } catch {
            throw node.obstacle(error.reason)
        }
    }

    /// Returns a regular expression that Almanac does not take.
    private static func unknownPattern(_ atom: FirebaseAtom) -> String? {
        guard case .texts(_, .matches, let targets) = atom else { return nil }
        return targets.first { Pattern($0) == nil }
    }

    private static func fault(_ pattern: String) -> FirebaseExpression.Fault {
        FirebaseExpression.Fault(
            reason: "the regular expression \"\(pattern)\" uses syntax that Almanac does not have")
    }

    /// Adds the cases in which Firebase's service knows more about a caller than Almanac.
    private mutating func noteDifferences(of atom: FirebaseAtom) {
        switch atom {
        case .percent:
            differences.insert(
                "Firebase's service places an installation in another percentile than its server libraries, whose "
                    + "placing is the published one")
        case .oneOf(let attribute, _, _, _) where attribute.source == "device.country":
            differences.insert("Firebase finds another country for a device than the app sends")
        case .oneOf(let attribute, _, _, _) where attribute.source == "device.language":
            differences.insert("a condition names a language in another form than the app sends")
        default: break
        }
    }

    /// Returns the rule of a tree.
    ///
    /// - Parameter level: The nesting level as Firebase's libraries count it: two for each "and" or "or". From level 10
    ///   on, they take a condition for false.
    private mutating func rule(ofTree node: SourceNode, level: Int) throws(Obstacle) -> FlagValue {
        if level >= 10 { return false }
        for (name, isOr) in [("orCondition", true), ("andCondition", false)] {
            guard let list = node[name] else { continue }
            var rules: [FlagValue] = []
            for child in try list.list("conditions") { rules.append(try rule(ofTree: child, level: level + 2)) }
            return isOr ? Logic.any(rules) : Logic.all(rules)
        }
        if node["true"] != nil { return true }
        if node["false"] != nil { return false }
        if let percent = node["percent"] { return rule(try self.percent(percent), isOfServer: true) }
        if let signal = node["customSignal"] {
            let atom = try self.signal(signal)
            if let pattern = Self.unknownPattern(atom) { throw signal.obstacle(Self.fault(pattern).reason) }
            return rule(atom, isOfServer: true)
        }
        throw node.obstacle("the kind of the condition is unknown")
    }

    private func percent(_ node: SourceNode) throws(Obstacle) -> FirebaseAtom {
        let seed = try node.text("seed") ?? ""
        let micro = Int64(try node.integer("microPercent") ?? 0)
        let maxMicro: Int64 = 100_000_000
        switch try node.text("percentOperator") {
        case "LESS_OR_EQUAL": return .percent(seed: seed, lower: -1, upper: max(-1, min(maxMicro, micro)))
        case "GREATER_THAN": return .percent(seed: seed, lower: max(-1, min(maxMicro, micro)), upper: maxMicro)
        case "BETWEEN":
            let range = node["microPercentRange"]
            let lower = Int64(try range?.integer("microPercentLowerBound") ?? 0)
            let upper = Int64(try range?.integer("microPercentUpperBound") ?? 0)
            return .percent(seed: seed, lower: max(-1, min(maxMicro, lower)), upper: max(-1, min(maxMicro, upper)))
        default: throw node.obstacle("the operator of the percentage is unknown")
        }
    }

    private func signal(_ node: SourceNode) throws(Obstacle) -> FirebaseAtom {
        let name = try node.text("customSignalOperator") ?? ""
        let targets = try node.texts("targetCustomSignalValues")
        guard let key = try node.text("customSignalKey"), !key.isEmpty, !targets.isEmpty else {
            return .constant(false)
        }
        let attribute = FirebaseAttribute("customSignal", named: key)
        let texts: [String: FirebaseAtom.TextOperator] = [
            "STRING_CONTAINS": .contains, "STRING_DOES_NOT_CONTAIN": .notContains,
            "STRING_EXACTLY_MATCHES": .exactlyMatches, "STRING_CONTAINS_REGEX": .matches,
        ]
        if let known = texts[name] { return .texts(attribute, known, targets) }
        let relations: [String: FirebaseAtom.Relation] = [
            "LESS_THAN": .less, "LESS_EQUAL": .lessOrEqual, "EQUAL": .equal, "NOT_EQUAL": .notEqual,
            "GREATER_THAN": .greater, "GREATER_EQUAL": .greaterOrEqual,
        ]
        for (prefix, isVersion) in [("NUMERIC_", false), ("SEMANTIC_VERSION_", true)] where name.hasPrefix(prefix) {
            guard let relation = relations[String(name.dropFirst(prefix.count))] else { continue }
            if isVersion {
                guard Self.isVersion(targets[0]) else {
                    throw node.obstacle("\"\(targets[0])\" is not a version of up to five numbers")
                }
                return .version(attribute, relation, targets[0])
            }
            guard let number = Double(targets[0]), number.isFinite else {
                throw node.obstacle("\"\(targets[0])\" is not a number")
            }
            return .number(attribute, relation, number)
        }
        throw node.obstacle("the operator \(name) is unknown")
    }

    /// Returns the rule of a comparison.
    ///
    /// - Parameter isOfServer: True if an empty text and zero count as missing values, as in server libraries.
    private mutating func rule(_ atom: FirebaseAtom, isOfServer: Bool) -> FlagValue {
        switch atom {
        case .constant(let value): return .bool(value)
        case .percent(let seed, let lower, let upper):
            guard lower < upper else { return false }
            var parameters = [FlagObject.Member("scheme", "firebase")]
            if !seed.isEmpty { parameters.append(FlagObject.Member("seed", .string(seed))) }
            let range: FlagValue = [.number(FlagNumber(lower)), .number(FlagNumber(upper)), true]
            return Logic.operation("almanac.split", [Logic.object(parameters), variable(.installation), [range]])
        case .texts(let attribute, let known, let targets):
            if known == .exactlyMatches, Self.patterns(targets) == nil {
                differences.insert("a text that is compared with \(targets.count) texts has white space around it")
            }
            return guarded(attribute, isOfServer) { value in
                let text = Logic.operation("cat", [value])
                return switch known {
                case .contains: Logic.any(targets.map { Logic.operation("in", [.string($0), text]) })
                case .notContains: Logic.not(Logic.any(targets.map { Logic.operation("in", [.string($0), text]) }))
                case .exactlyMatches: Self.equals(text, targets)
                case .matches: Logic.any(targets.map { Logic.operation("almanac.matches", [text, .string($0)]) })
                }
            }
        case .number(let attribute, let relation, let target):
            return guarded(attribute, isOfServer) { value in
                let number = Logic.operation("+", [value])
                let isNumeric = Logic.operation("almanac.matches", [Logic.operation("cat", [value]), "[0-9]"])
                let operation = ["==": "===", "!=": "!=="][relation.rawValue] ?? relation.rawValue
                let compared = Logic.operation(operation, [number, .number(FlagNumber(target))])
                // A text such as "5 km" is not a number, and so it is not equal to itself.
                return Logic.all([isNumeric, Logic.equal(number, number), compared])
            }
        case .version(let attribute, let relation, let target):
            return guarded(attribute, isOfServer) { value in
                Logic.operation(
                    "almanac.version",
                    [Logic.operation("cat", [value]), .string(relation.inAlmanac), .string(target)])
            }
        case .oneOf(let attribute, let targets, let ignoresCase, let isNegated):
            let value = variable(attribute)
            let texts = FlagArray(targets.map { .string(ignoresCase ? $0.lowercased() : $0) })
            let compared = ignoresCase ? Logic.operation("almanac.lower", [value]) : value
            let isIn = Logic.operation("in", [compared, .array(texts)])
            return isNegated ? Logic.all([Logic.isText(value), Logic.not(isIn)]) : isIn
        case .time(let attribute, let relation, let time):
            let value = attribute.map { variable($0) } ?? Logic.variable(["$flagd", "timestamp"])
            return Logic.operation("almanac.date", [value, .string(relation.inAlmanac), .string(time)])
        }
    }

    /// Returns the condition that an attribute is a text or a number for which a comparison is true.
    private mutating func guarded(
        _ attribute: FirebaseAttribute, _ isOfServer: Bool, _ compared: (FlagValue) -> FlagValue
    ) -> FlagValue {
        let value = variable(attribute)
        let isScalar = Logic.any([Logic.isText(value), Logic.isNumber(value)])
        return Logic.all((isOfServer ? [Logic.operation("!!", [value])] : []) + [isScalar, compared(value)])
    }

    /// Returns the condition that a text without the white space around it is one of the targets.
    private static func equals(_ text: FlagValue, _ targets: [String]) -> FlagValue {
        guard let patterns = patterns(targets) else {
            return Logic.operation("in", [text, .array(FlagArray(targets.map { .string(trimmed($0)) }))])
        }
        return Logic.any(patterns.map { Logic.operation("almanac.matches", [text, .string($0)]) })
    }

    /// Returns patterns that match one of the targets with white space around it, or nil for too many targets, because
    /// an evaluation would take too many steps.
    private static func patterns(_ targets: [String]) -> [String]? {
        let (maxPatternSize, maxPatterns) = (800, 20)
        var groups: [(text: String, size: Int)] = []
        for target in targets {
            let escaped = escaped(trimmed(target))
            let size = escaped.utf8.count + 3
            if let last = groups.last, last.size + size < maxPatternSize {
                groups[groups.count - 1] = (last.text + "|" + escaped, last.size + size)
            } else {
                groups.append((escaped, size))
            }
        }
        return groups.count > maxPatterns ? nil : groups.map { #"^\s*(?:\#($0.text))\s*$"# }
    }

    private static func trimmed(_ text: String) -> String {
        let isSpace = { (scalar: Unicode.Scalar) in scalar == " " || ("\t"..."\r").contains(scalar) }
        let scalars = text.unicodeScalars.drop(while: isSpace)
        let end = scalars.lastIndex { !isSpace($0) }.map { scalars.index(after: $0) } ?? scalars.startIndex
        return String(scalars[scalars.startIndex..<end])
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if #"\.+*?()|[]{}^$"#.unicodeScalars.contains(scalar) { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
        return escaped
    }
}
