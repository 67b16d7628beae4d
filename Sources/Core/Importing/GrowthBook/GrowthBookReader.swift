internal import AlmanacTargeting

/// A reader of the answer of GrowthBook's call `/api/features`.
struct GrowthBookReader {
    private let features: SourceNode
    private let keys: KeyTable
    /// The variants of each feature by its key, unless its values cannot be kept.
    private var variants: [String: VariantTable] = [:]
    private var conditions: GrowthBookConditions

    private static let maxParentVariants = 100

    /// A part of a flag's rule.
    private struct Branch {
        var tests: [FlagValue]
        /// Rules that are all true if a rollout or an experiment includes the caller.
        var inclusions: [FlagValue] = []
        /// The value, or nil for an experiment and for a gate, which gives no value.
        var result: FlagValue?
        /// A rule that yields the value of included callers, and null for others.
        var split: FlagValue?
    }

    private static let members: Set<String> = [
        "id", "key", "variations", "weights", "coverage", "condition", "namespace", "force", "hashAttribute",
        "fallbackAttribute", "hashVersion", "range", "ranges", "meta", "filters", "seed", "name", "phase",
        "disableStickyBucketing", "bucketVersion", "minBucketVersion", "parentConditions", "tracks",
    ]

    static func project(_ files: [SourceFile]) throws(ImportFailure) -> ImportedProject {
        guard let file = files.first, files.count == 1 else {
            throw ImportFailure(
                file: files.last?.name ?? "", "expected the answer of /api/features for one SDK connection")
        }
        let root = SourceNode(file.content)
        if root["encryptedFeatures"] != nil || root["encryptedSavedGroups"] != nil {
            throw ImportFailure(
                file: file.name, "the features are encrypted; use an SDK connection without encryption")
        }
        guard let features = root["features"], features.object != nil,
            root["savedGroups"] == nil || root["savedGroups"]?.object != nil
        else {
            throw ImportFailure(file: file.name, "expected GrowthBook's answer, with an object of features")
        }
        var reader = GrowthBookReader(features, groups: root["savedGroups"])
        return reader.project(file.content)
    }

    private init(_ features: SourceNode, groups: SourceNode?) {
        self.features = features
        keys = KeyTable(features.members?.map { $0.name } ?? [])
        conditions = GrowthBookConditions(groups: groups)
    }

    private mutating func project(_ content: FlagValue) -> ImportedProject {
        let members = features.members ?? []
        for (key, feature) in members { variants[key] = try? Self.variants(of: feature) }
        var flags: [ImportedFlag] = []
        var report: [ReportLine] = []
        for (key, feature) in members {
            conditions.resetDifferences()
            do throws(Obstacle) {
                let flag = try self.flag(key, feature)
                flags.append(flag)
                let differences = conditions.differences
                report.append(
                    ReportLine(
                        source: key, key: flag.key,
                        verdict: differences.isEmpty ? .exact : .differs(when: differences), pointer: feature.pointer))
            } catch {
                report.append(
                    ReportLine(source: key, key: nil, verdict: .cannot(error.reason), pointer: error.pointer))
            }
        }
        var project = ImportedProject(attributes: conditions.attributes, reference: GrowthBookReference(content))
        (project.flags, project.report, project.sharedRules) = (flags, report, conditions.sharedRules)
        return project
    }

    private mutating func flag(_ key: String, _ feature: SourceNode) throws(Obstacle) -> ImportedFlag {
        guard let name = keys[key] else { throw feature.obstacle("the key cannot be kept") }
        let table = try Self.variants(of: feature)
        var branches: [Branch] = []
        var hasGate = false
        for rule in try feature.list("rules") { try add(rule, of: key, table, to: &branches, &hasGate) }
        let fallback = feature["defaultValue"].flatMap { table[$0.value] }.map { FlagValue.string($0) }
        var members = [
            FlagObject.Member("state", "ENABLED"), FlagObject.Member("variants", table.object),
            // A gate that is closed gives no value. So the default of such a flag is the end of its rule.
            FlagObject.Member("defaultVariant", hasGate ? .null : fallback ?? .null),
        ]
        var end = hasGate ? fallback.map { [$0] } ?? [] : []
        // Buckets that a last split leaves out have the default.
        if !hasGate, let last = branches.last, last.tests.isEmpty, let split = last.split {
            branches.removeLast()
            end = [split]
        }
        if branches.isEmpty {
            members += end.map { FlagObject.Member("targeting", $0) }
        } else {
            let parts = branches.flatMap { branch -> [FlagValue] in
                [Logic.all(branch.tests + branch.inclusions), branch.result ?? branch.split ?? .null]
            }
            members.append(FlagObject.Member("targeting", Logic.operation("if", parts + end)))
        }
        return ImportedFlag(key: name, source: key, definition: FlagObject(members) ?? FlagObject())
    }

    /// Returns the variants of all values that a feature gives.
    private static func variants(of feature: SourceNode) throws(Obstacle) -> VariantTable {
        var values: [(node: SourceNode, name: String?)] = []
        if let value = feature["defaultValue"] { values.append((value, nil)) }
        for rule in try feature.list("rules") {
            guard let members = rule.members else { throw rule.obstacle("a rule must be an object") }
            if let force = members.first(where: { $0.name == "force" }) { values.append((force.node, nil)) }
            let names = try rule.list("meta").map { $0["name"]?.text ?? $0["key"]?.text }
            for (index, value) in try rule.list("variations").enumerated() {
                values.append((value, names.indices.contains(index) ? names[index] : nil))
            }
        }
        guard let first = values.first else { throw feature.obstacle("the feature has no value") }
        var table = VariantTable()
        for (node, name) in values {
            switch (first.node.value, node.value) {
            case (.bool, .bool), (.string, .string), (.number, .number), (.object, .object):
                table.add(node.value, preferred: name)
            case (_, .null), (_, .array): throw node.obstacle("null and arrays cannot be values of a flag")
            default: throw node.obstacle("the feature has values of several types")
            }
        }
        return table
    }

    /// Adds the branches of a rule: one for each gate, and one for the rule's value.
    private mutating func add(
        _ rule: SourceNode, of key: String, _ table: VariantTable,
        to branches: inout [Branch], _ hasGate: inout Bool
    ) throws(Obstacle) {
        for (name, member) in rule.members ?? [] where !Self.members.contains(name) {
            throw member.obstacle("the member \(name) of a rule is unknown")
        }
        var tests: [FlagValue] = []
        for parent in try rule.list("parentConditions") {
            guard let test = try prerequisite(parent) else { continue }
            if try parent.bool("gate") {
                branches.append(Branch(tests: tests + [Logic.not(test)]))
                hasGate = true
            }
            tests.append(test)
        }
        if let condition = rule["condition"] { tests.append(try conditions.rule(condition)) }
        tests += try filters(rule)
        if let force = rule.members?.first(where: { $0.name == "force" })?.node {
            guard let name = table[force.value] else { throw force.obstacle("the value is unknown") }
            guard var branch = try rollout(rule, key, .string(name)) else { return }
            branch.tests += tests
            branches.append(branch)
        } else if try rule.list("variations").count > 1 {
            var branch = try experiment(rule, key, table)
            branch.tests = tests + branch.tests
            branches.append(branch)
        }
    }

    /// Returns a rule that is true if a feature's value meets the condition of a prerequisite; nil if there is none.
    private mutating func prerequisite(_ parent: SourceNode) throws(Obstacle) -> FlagValue? {
        guard let id = try parent.text("id"), let name = keys[id], features[id] != nil else {
            throw parent.obstacle("the prerequisite is missing")
        }
        guard let table = variants[id] else { throw parent.obstacle("the prerequisite \(id) cannot be kept") }
        guard table.members.count <= Self.maxParentVariants else {
            throw parent.obstacle("the prerequisite \(id) has more than \(Self.maxParentVariants) values")
        }
        guard let condition = parent["condition"] else { return nil }
        var alone = GrowthBookConditions(groups: nil)
        let rule = try alone.rule(condition, [])
        guard alone.sharedRules.isEmpty else {
            throw condition.obstacle("a prerequisite with a saved group cannot be kept")
        }
        let test = FlagObject([
            FlagObject.Member("state", "ENABLED"), FlagObject.Member("variants", Logic.object([.init("yes", true)])),
            FlagObject.Member("targeting", Logic.operation("if", [rule, "yes"])),
        ])
        let set = FlagSet(
            FlagObject([.init("test", .object(test ?? FlagObject()))]) ?? FlagObject(), fractional: .version3)
        if let fault = set.faults.first { throw condition.obstacle(fault.message) }
        func holds(_ value: FlagValue) -> Bool {
            let context = EvaluationContext(FlagObject([.init("value", value)]) ?? FlagObject())
            return set.evaluate("test", for: context, now: 0).value != nil
        }
        // A feature without a value has the value null.
        let names =
            table.members.filter { holds($0.value) }.map { FlagValue.string($0.name) } + (holds(nil) ? [nil] : [])
        return Logic.operation(
            "in", [Logic.operation("almanac.flag", [.string(name)]), .array(FlagArray(names))])
    }

    /// Returns rules that are all true if no filter excludes the caller.
    private mutating func filters(_ rule: SourceNode) throws(Obstacle) -> [FlagValue] {
        var rules: [FlagValue] = []
        for filter in try rule.list("filters") {
            let version = try filter.integer("hashVersion") ?? 2
            let unit = try conditions.unit(attribute(filter, "attribute"))
            let split = try GrowthBookSplit(
                seed: try filter.text("seed") ?? "", version: version, unit: unit, at: filter)
            let ranges = try filter.list("ranges").map { (node) throws(Obstacle) in try split.range(node) }
            rules.append(split.rule(ranges.map { ($0, true) }))
        }
        return rules
    }

    /// Returns the branch of a forced value, or nil if a rollout includes nobody.
    private mutating func rollout(
        _ rule: SourceNode, _ key: String, _ value: FlagValue
    ) throws(Obstacle) -> Branch? {
        let coverage = rule["coverage"]
        if coverage == nil, rule["range"] == nil { return Branch(tests: [], result: value) }
        guard rule["fallbackAttribute"] == nil else {
            throw rule.obstacle("GrowthBook's clients differ in a rollout with a fallback attribute")
        }
        let split = try GrowthBookSplit(
            seed: try rule.filledText("seed") ?? key, version: try rule.integer("hashVersion") ?? 1,
            unit: conditions.unit(attribute(rule, "hashAttribute")), at: rule)
        func branch(_ range: GrowthBookSplit.Range) -> Branch {
            Branch(
                tests: [], inclusions: [split.rule([(range, true)])], result: value, split: split.rule([(range, value)])
            )
        }
        if let range = rule["range"] { return branch(try split.range(range)) }
        guard let share = coverage?.number?.double else { throw rule.obstacle("the coverage must be a number") }
        if share == 0 { return nil }
        let end = split.end(ofCoverage: share)
        if end < split.count {
            conditions.note(
                "a client of GrowthBook leaves out the last bucket of a rollout, as version 4 for Python does")
        }
        return branch((0, end))
    }

    /// Returns the branch of an experiment.
    private mutating func experiment(
        _ rule: SourceNode, _ key: String, _ table: VariantTable
    ) throws(Obstacle) -> Branch {
        let isSticky = try !rule.bool("disableStickyBucketing")
        if isSticky, let node = rule["fallbackAttribute"] {
            throw node.obstacle("sticky buckets cannot be kept")
        }
        if isSticky, try rule.integer("minBucketVersion") ?? 0 > 0 {
            throw rule.obstacle("sticky buckets cannot be kept; the experiment excludes users of earlier versions")
        }
        if isSticky, try rule.integer("bucketVersion") ?? 0 > 0 { conditions.note("an app keeps sticky buckets") }
        let variations = try rule.list("variations")
        let unit = try conditions.unit(attribute(rule, "hashAttribute"))
        let experiment = try rule.filledText("key") ?? key
        let split = try GrowthBookSplit(
            seed: try rule.filledText("seed") ?? experiment, version: try rule.integer("hashVersion") ?? 1, unit: unit,
            at: rule)
        var rules: [FlagValue] = []
        if rule["filters"]?.elements?.isEmpty ?? true, let space = rule["namespace"] {
            guard let parts = space.elements, parts.count == 3, let name = parts[0].text else {
                throw space.obstacle("expected the name of a namespace and its range")
            }
            let split = try GrowthBookSplit(seed: "__" + name, version: 1, unit: unit, at: space)
            rules.append(split.rule([(try split.range(parts[1], parts[2]), true)]))
        }
        let ranges = try split.ranges(of: rule, count: variations.count)
        let passes = try rule.list("meta").map { (node) throws(Obstacle) in try node.bool("passthrough") }
        var included: [(range: (Int64, Int64), result: FlagValue)] = []
        var results: [(range: (Int64, Int64), result: FlagValue)] = []
        for (index, range) in ranges.enumerated() {
            guard variations.indices.contains(index), let name = table[variations[index].value] else {
                throw rule.obstacle("the experiment has more ranges than variations")
            }
            let passes = passes.indices.contains(index) && passes[index]
            included.append((range, .bool(!passes)))
            results.append((range, passes ? .null : .string(name)))
        }
        return Branch(tests: rules, inclusions: [split.rule(included)], split: split.rule(results))
    }

    private func attribute(_ node: SourceNode, _ member: String) throws(Obstacle) -> String {
        let name = try node.text(member) ?? "id"
        guard !name.isEmpty else { throw node.obstacle("the attribute has no name") }
        return name
    }
}

extension SourceNode {
    /// Returns a member that is a text, or nil if there is none or if the text is empty.
    fileprivate func filledText(_ name: String) throws(Obstacle) -> String? {
        guard let text = try text(name), !text.isEmpty else { return nil }
        return text
    }
}
