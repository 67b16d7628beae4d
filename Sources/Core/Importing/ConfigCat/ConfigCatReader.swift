internal import AlmanacTargeting

/// A reader of ConfigCat's config JSON of version 6, `config_v6.json`.
struct ConfigCatReader {
    private let settings: SourceNode
    private let keys: KeyTable
    /// The variants of each setting by its key, unless a value is not of the setting's type.
    private var variants: [String: VariantTable] = [:]
    private var conditions: ConfigCatConditions
    /// The names of the shared rules that yield a unit, by the attribute, which is nil where a setting names none.
    private var units: [String?: String] = [:]
    private var sharedRules: [FlagObject.Member] = []

    private static let types = ["b", "s", "i", "d"]
    private static let identifier = "Identifier"

    static func project(_ files: [SourceFile]) throws(ImportFailure) -> ImportedProject {
        guard let file = files.first, files.count == 1 else {
            throw ImportFailure(
                file: files.last?.name ?? "", "expected one config_v6.json; import each config of ConfigCat by itself")
        }
        let root = SourceNode(file.content)
        guard let settings = root["f"], settings.object != nil, root["p"] == nil || root["p"]?.object != nil,
            root["s"] == nil || root["s"]?.elements != nil
        else {
            throw ImportFailure(
                file: file.name, "expected ConfigCat's config JSON of version 6, with the flags as the object f")
        }
        var reader = ConfigCatReader(root, settings)
        return reader.project(root)
    }

    private init(_ root: SourceNode, _ settings: SourceNode) {
        self.settings = settings
        keys = KeyTable(settings.members?.map { $0.name } ?? [])
        conditions = ConfigCatConditions(root)
    }

    private mutating func project(_ root: SourceNode) -> ImportedProject {
        let members = settings.members ?? []
        for (key, setting) in members { variants[key] = try? variants(of: setting) }
        var flags: [ImportedFlag] = []
        var report: [ReportLine] = []
        for (key, setting) in members {
            do throws(Obstacle) {
                let flag = try self.flag(key, setting)
                flags.append(flag)
                let when = conditions.takeDifferences()
                report.append(
                    ReportLine(
                        source: key, key: flag.key, verdict: when.isEmpty ? .exact : .differs(when: when),
                        pointer: setting.pointer))
            } catch {
                _ = conditions.takeDifferences()
                report.append(
                    ReportLine(source: key, key: nil, verdict: .cannot(error.reason), pointer: error.pointer))
            }
        }
        var project = ImportedProject(
            attributes: conditions.attributes, reference: ConfigCatReference(root.value))
        (project.flags, project.report) = (flags, report)
        project.sharedRules = conditions.sharedRules + sharedRules
        return project
    }

    private mutating func flag(_ key: String, _ setting: SourceNode) throws(Obstacle) -> ImportedFlag {
        guard let name = keys[key] else { throw setting.obstacle("the key cannot be kept") }
        var table = try variants(of: setting)
        let fallback = table.add(try value(of: setting, in: setting))
        var members = [
            FlagObject.Member("state", "ENABLED"), FlagObject.Member("variants", table.object),
            FlagObject.Member("defaultVariant", .string(fallback)),
        ]
        if let targeting = try targeting(of: setting, key, table) {
            members.append(FlagObject.Member("targeting", targeting))
        }
        return ImportedFlag(key: name, source: key, definition: FlagObject(members) ?? FlagObject())
    }

    /// Returns the variants of all values that a setting serves.
    private func variants(of setting: SourceNode) throws(Obstacle) -> VariantTable {
        var table = VariantTable()
        table.add(try value(of: setting, in: setting))
        for rule in setting["r"]?.elements ?? [] {
            if let served = rule["s"] { table.add(try value(of: served, in: setting)) }
            for option in rule["p"]?.elements ?? [] { table.add(try value(of: option, in: setting)) }
        }
        for option in setting["p"]?.elements ?? [] { table.add(try value(of: option, in: setting)) }
        return table
    }

    /// Returns the member `v` of a part as a value of the setting's type.
    private func value(of part: SourceNode, in setting: SourceNode) throws(Obstacle) -> FlagValue {
        guard let type = setting["t"]?.integer, Self.types.indices.contains(type) else {
            throw (setting["t"] ?? setting).obstacle(
                "the setting has an unknown type; expected a boolean, a text or a number")
        }
        let value = part["v"]?[Self.types[type]]
        let isValid =
            switch type {
            case 0: value?.bool != nil
            case 1: value?.text != nil
            case 2: value?.integer != nil
            default: value?.number != nil
            }
        guard isValid, let value else { throw (part["v"] ?? part).obstacle("the value is not of the setting's type") }
        return value.value
    }

    private mutating func targeting(
        of setting: SourceNode, _ key: String, _ table: VariantTable
    ) throws(Obstacle) -> FlagValue? {
        var branches: [(condition: FlagValue, result: FlagValue)] = []
        for rule in try setting.list("r") {
            let parts = try rule.list("c")
            guard !parts.isEmpty else { throw rule.obstacle("the rule has no condition") }
            var tests: [FlagValue] = []
            for part in parts { tests += try condition(part, key) }
            switch (rule["s"], rule["p"]) {
            case (let served?, nil):
                branches.append((Logic.all(tests), try variant(served, setting, table)))
            case (nil, let options?):
                let (split, unit, total) = try self.split(rule.list("p"), setting, key, table)
                guard total >= 100 else {
                    throw options.obstacle("the percentage options of a rule add up to less than 100")
                }
                tests.append(Logic.not(Logic.isMissing(unit)))
                branches.append((Logic.all(tests), split))
            default: throw rule.obstacle("the rule has not either a value or percentage options")
            }
        }
        let options = try setting.list("p")
        let last = options.isEmpty ? [] : [try split(options, setting, key, table).split]
        if branches.isEmpty { return last.first }
        return Logic.operation("if", branches.flatMap { [$0.condition, $0.result] } + last)
    }

    private func variant(
        _ part: SourceNode, _ setting: SourceNode, _ table: VariantTable
    ) throws(Obstacle) -> FlagValue {
        guard let name = table[try value(of: part, in: setting)] else { throw part.obstacle("the value is unknown") }
        return .string(name)
    }

    /// Returns percentage options as a split, the unit, and the sum of the percentages.
    private mutating func split(
        _ options: [SourceNode], _ setting: SourceNode, _ key: String, _ table: VariantTable
    ) throws(Obstacle) -> (split: FlagValue, unit: FlagValue, total: Int) {
        var total = 0
        var ranges: [FlagValue] = []
        for option in options {
            guard let percentage = option["p"]?.integer, (0...100).contains(percentage) else {
                throw (option["p"] ?? option).obstacle("expected a whole percentage from 0 to 100")
            }
            let result = try variant(option, setting, table)
            let end = min(100, total + percentage)
            if end > total {
                ranges.append([.number(FlagNumber(Int64(total))), .number(FlagNumber(Int64(end))), result])
            }
            total = end
        }
        let unit = unit(try setting.text("a"))
        let scheme = Logic.object([FlagObject.Member("scheme", "configcat"), FlagObject.Member("key", .string(key))])
        return (Logic.operation("almanac.split", [scheme, unit, .array(FlagArray(ranges))]), unit, total)
    }

    /// Returns a reference to a shared rule that yields the text of an attribute, or null if it is missing.
    ///
    /// - Parameter name: The attribute of percentage options, or nil if a setting names none.
    private mutating func unit(_ name: String?) -> FlagValue {
        if let rule = units[name] { return Logic.shared(rule) }
        let attribute = conditions.variable(name ?? Self.identifier)
        var isMissing = [Logic.isMissing(attribute)]
        if name == nil {
            // A user with other attributes and no Identifier counts as one with an empty Identifier.
            let others = conditions.otherAttributes.map { FlagValue.string($0) }
            isMissing.append(Logic.operation("missing_some", [1, .array(FlagArray(others))]))
        }
        let rule = conditions.unusedName("ConfigCat \(name ?? Self.identifier)")
        units[name] = rule
        let text = Logic.operation("cat", [attribute])
        sharedRules.append(FlagObject.Member(rule, Logic.operation("if", [Logic.all(isMissing), nil, text])))
        return Logic.shared(rule)
    }

    /// Returns rules that are all true if a condition holds.
    private mutating func condition(_ part: SourceNode, _ key: String) throws(Obstacle) -> [FlagValue] {
        switch (part["u"], part["s"], part["p"]) {
        case (let comparison?, nil, nil): return try conditions.rules(comparison, salt: key)
        case (nil, let membership?, nil): return [try conditions.membership(membership)]
        case (nil, nil, let other?): return [try prerequisite(other)]
        default: throw part.obstacle("the condition is unknown")
        }
    }

    private func prerequisite(_ other: SourceNode) throws(Obstacle) -> FlagValue {
        guard let source = other["f"]?.text, let setting = settings[source], let name = keys[source]
        else { throw (other["f"] ?? other).obstacle("the prerequisite is missing") }
        let wanted = try value(of: other, in: setting)
        guard let table = variants[source] else {
            throw (other["f"] ?? other).obstacle("the prerequisite \(source) cannot be kept")
        }
        guard let comparator = other["c"]?.integer, (0...1).contains(comparator) else {
            throw (other["c"] ?? other).obstacle("the comparator of the prerequisite is unknown")
        }
        // No user gets a value that the prerequisite does not serve.
        guard let variant = table[wanted] else { return .bool(comparator == 1) }
        let test = Logic.equal(Logic.operation("almanac.flag", [.string(name)]), .string(variant))
        return comparator == 0 ? test : Logic.not(test)
    }
}
