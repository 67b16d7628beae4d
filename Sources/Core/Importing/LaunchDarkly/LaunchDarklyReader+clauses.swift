internal import AlmanacTargeting

// Clauses and segments, which are conditions.
extension LaunchDarklyReader {
    /// Returns the condition that all clauses of a rule hold.
    mutating func condition(ofRule rule: SourceNode) throws(Obstacle) -> FlagValue {
        var conditions: [FlagValue] = []
        for clause in try rule.list("clauses") { conditions.append(try condition(clause)) }
        return Logic.all(conditions)
    }

    private mutating func condition(_ clause: SourceNode) throws(Obstacle) -> FlagValue {
        let operation = try clause.text("op") ?? ""
        let isNegated = try clause.bool("negate")
        let values = try clause.list("values")
        func negated(_ rule: FlagValue) -> FlagValue { isNegated ? Logic.not(rule) : rule }
        if operation == "segmentMatch" {
            var segments: [FlagValue] = []
            for value in values {
                guard let key = value.text else { throw value.obstacle("expected the key of a segment") }
                segments.append(try segment(key, value))
            }
            return negated(Logic.any(segments))
        }
        let reference = try clause.text("attribute") ?? ""
        let kind = try kind(clause)
        let attribute = try Self.attribute(reference, clause, "contextKind")
        if attribute.path == ["kind"] {
            guard operation == "in" else { throw clause.obstacle("the kinds of contexts are compared by \(operation)") }
            return negated(Logic.any(values.compactMap(\.text).map { isPresent($0) }))
        }
        let variable = attributes.variable(attribute)
        if attribute.path == ["anonymous"] {
            // A context that does not say so is not anonymous.
            let value = Logic.operation("var", [.string(attributes.path(attribute).joined(separator: ".")), false])
            return Logic.all([isPresent(kind), negated(try test(value, clause, operation, values))])
        }
        if attribute.isKey || attribute.path == ["name"] {
            let test = try test(variable, clause, operation, values)
            return isNegated ? Logic.all([Logic.not(Logic.isMissing(variable)), Logic.not(test)]) : test
        }
        // An array matches if any of its elements does.
        let test = try test(Logic.operation("var", [""]), clause, operation, values)
        let matches = test == false ? false : Logic.operation("some", [Logic.operation("merge", [variable]), test])
        return isNegated ? Logic.all([Logic.not(Logic.isMissing(variable)), Logic.not(matches)]) : matches
    }

    /// Returns the attribute of a reference in a node.
    ///
    /// - Parameter kind: The member of the node that names the kind of contexts.
    static func attribute(
        _ reference: String, _ node: SourceNode, _ kind: String
    ) throws(Obstacle) -> LaunchDarklyAttribute {
        guard let attribute = LaunchDarklyAttribute(reference, kind: try node.text(kind)) else {
            throw node.obstacle("\"\(reference)\" is not an attribute")
        }
        guard !attribute.path.dropFirst().contains(where: { Int($0) != nil }) else {
            throw node.obstacle("\"\(reference)\" is an element of an array, which only some clients read")
        }
        return attribute
    }

    private mutating func isPresent(_ kind: String) -> FlagValue {
        Logic.not(Logic.isMissing(attributes.variable(LaunchDarklyAttribute(kind: kind, name: "key"))))
    }

    /// Returns the condition that one value of an attribute matches any of the values of a clause. It must not be true
    /// for null.
    private mutating func test(
        _ value: FlagValue, _ clause: SourceNode, _ operation: String, _ values: [SourceNode]
    ) throws(Obstacle) -> FlagValue {
        let texts = values.compactMap(\.text)
        switch operation {
        case "in":
            for node in values where node.elements != nil || node.object != nil || node.value == nil {
                throw node.obstacle("an attribute is compared with null, an array or an object")
            }
            return values.isEmpty ? false : Logic.operation("in", [value, .array(FlagArray(values.map(\.value)))])
        case "startsWith", "endsWith":
            let name = operation == "startsWith" ? "starts_with" : "ends_with"
            return Logic.any(texts.map { Logic.operation(name, [value, .string($0)]) })
        case "contains":
            if texts.isEmpty { return false }
            return Logic.all([
                Logic.isText(value), Logic.any(texts.map { Logic.operation("in", [.string($0), value]) }),
            ])
        case "matches":
            for node in values {
                guard let text = node.text else { continue }
                guard Pattern(text) != nil else {
                    throw node.obstacle("the regular expression \"\(text)\" uses syntax that Almanac does not have")
                }
                if Self.dependsOnClient(text) {
                    differences.insert(
                        "a regular expression is about letters or digits beyond ASCII, or a line feed at the end, in "
                            + "which LaunchDarkly's clients differ from each other")
                }
            }
            return Logic.any(texts.map { Logic.operation("almanac.matches", [value, .string($0)]) })
        case "lessThan": return isNumber(value, "<", values)
        case "lessThanOrEqual": return isNumber(value, "<=", values)
        case "greaterThan": return isNumber(value, ">", values)
        case "greaterThanOrEqual": return isNumber(value, ">=", values)
        case "before": return try isTime(value, "<", values)
        case "after": return try isTime(value, ">", values)
        case "semVerEqual": return isVersion(value, "=", texts)
        case "semVerLessThan": return isVersion(value, "<", texts)
        case "semVerGreaterThan": return isVersion(value, ">", texts)
        default: throw clause.obstacle("the operator \(operation) is unknown")
        }
    }

    private func isNumber(_ value: FlagValue, _ relation: String, _ values: [SourceNode]) -> FlagValue {
        let tests = values.filter { $0.number != nil }.map { Logic.operation(relation, [value, $0.value]) }
        return tests.isEmpty ? false : Logic.all([Logic.isNumber(value), Logic.any(tests)])
    }

    /// Returns a comparison of times. A number is a time in milliseconds.
    private func isTime(_ value: FlagValue, _ relation: String, _ values: [SourceNode]) throws(Obstacle) -> FlagValue {
        var tests: [FlagValue] = []
        for node in values {
            let (milliseconds, constant): (FlagValue, FlagValue)
            if let number = node.number {
                // A text of RFC 3339 lies within these seconds.
                let maxSeconds = 999_999_999_999.0
                let seconds = max(-maxSeconds, min(maxSeconds, number.double / 1000))
                (milliseconds, constant) = (node.value, .number(FlagNumber(seconds)))
            } else if node.text != nil, let instant = Instant(node.value, isLenient: false) {
                (milliseconds, constant) = (.number(FlagNumber(instant.milliseconds)), node.value)
            } else {
                continue
            }
            tests.append(Logic.all([Logic.isNumber(value), Logic.operation(relation, [value, milliseconds])]))
            tests.append(
                Logic.all([
                    Logic.isText(value), Logic.operation("almanac.date", [value, .string(relation), constant]),
                ]))
        }
        return Logic.any(tests)
    }

    /// Returns a comparison of semantic versions. Only texts without a leading letter are versions.
    private func isVersion(_ value: FlagValue, _ relation: String, _ texts: [String]) -> FlagValue {
        let tests = texts.compactMap { Self.fullVersion($0) }.map {
            Logic.operation("sem_ver", [value, .string(relation), .string($0)])
        }
        return tests.isEmpty
            ? false : Logic.all([Logic.operation("almanac.matches", [value, "^[0-9]"]), Logic.any(tests)])
    }

    /// Returns a version with three numbers, or nil if the text is not a version.
    private static func fullVersion(_ text: String) -> String? {
        let numbers = text.prefix { $0 != "-" && $0 != "+" }
        let parts = numbers.split(separator: ".", omittingEmptySubsequences: false)
        let isNumeric = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard isNumeric, parts.count <= 3 else { return nil }
        let full = (parts + ["0", "0"]).prefix(3).joined(separator: ".") + text[numbers.endIndex...]
        return SemanticVersion(full) == nil ? nil : full
    }

    /// Returns true for a regular expression whose classes or end differ between languages.
    private static func dependsOnClient(_ pattern: String) -> Bool {
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            if isEscaped {
                if "dDwWsSbB".unicodeScalars.contains(scalar) { return true }
                isEscaped = false
            } else if scalar == "$" {
                return true
            } else {
                isEscaped = scalar == "\\"
            }
        }
        return pattern.contains("(?")
    }

    /// Returns a reference to the shared rule of a segment.
    private mutating func segment(_ key: String, _ place: SourceNode) throws(Obstacle) -> FlagValue {
        let maxNesting = 30
        guard let node = files.segments[key] else { throw place.obstacle("the segment \(key) is not in the files") }
        let name = "segment-\(key)"
        switch segments[key] {
        case .begun: throw place.obstacle("the segment \(key) refers to itself")
        case .impossible(let obstacle): throw obstacle
        case .translated(let known):
            differences.formUnion(known)
            return Logic.shared(name)
        case nil: break
        }
        guard segmentNesting < maxNesting else {
            throw place.obstacle("segments refer to each other more than \(maxNesting) deep")
        }
        segments[key] = .begun
        segmentNesting += 1
        defer { segmentNesting -= 1 }
        let outer = differences
        differences = []
        do throws(Obstacle) {
            let rule = try self.rule(ofSegment: key, node)
            sharedRules.append(FlagObject.Member(name, rule))
            segments[key] = .translated(differences: differences)
        } catch {
            segments[key] = .impossible(error)
            throw error
        }
        differences.formUnion(outer)
        return Logic.shared(name)
    }

    private mutating func rule(ofSegment key: String, _ node: SourceNode) throws(Obstacle) -> FlagValue {
        if try node.bool("unbounded") { throw node.obstacle("the segment \(key) is a big segment") }
        let included = try members(node, "included", "includedContexts")
        let excluded = try members(node, "excluded", "excludedContexts")
        var matches: [FlagValue] = []
        for rule in try node.list("rules") {
            let condition = try self.condition(ofRule: rule)
            guard let weight = try rule.integer("weight") else {
                matches.append(condition)
                continue
            }
            let kind = try kind(rule, "rolloutContextKind")
            var unit = LaunchDarklyAttribute(kind: kind, name: "key")
            if let reference = try rule.text("bucketBy"), !reference.isEmpty {
                unit = try Self.attribute(reference, rule, "rolloutContextKind")
            }
            // A range without an end would contain everybody behind it.
            let share = try split(
                [FlagObject.Member("scheme", "launchdarkly")] + Self.saltedKey(key, node["salt"]?.text, node), unit,
                [(weight, true), (100_000 - weight, false)], rule)
            matches.append(Logic.all([condition, isPresent(kind), share]))
        }
        let rules = Logic.any(matches)
        let others = excluded.isEmpty ? rules : Logic.all([Logic.not(Logic.any(excluded)), rules])
        let rule = matches.isEmpty ? Logic.any(included) : Logic.any(included + [others])
        // A shared rule is an object.
        if case .object = rule { return rule }
        return Logic.operation("!!", [rule])
    }

    /// Returns conditions that a key of the context is in the lists of a segment.
    private mutating func members(
        _ segment: SourceNode, _ users: String, _ contexts: String
    ) throws(Obstacle) -> [FlagValue] {
        let keys = try segment.texts(users)
        var lists = keys.isEmpty ? [] : [isKey(of: LaunchDarklyAttribute.defaultKind, in: keys)]
        for list in try segment.list(contexts) {
            let keys = try list.texts("values")
            if !keys.isEmpty { lists.append(isKey(of: try kind(list), in: keys)) }
        }
        return lists
    }
}
