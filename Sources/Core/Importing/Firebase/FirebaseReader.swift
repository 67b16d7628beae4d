internal import AlmanacTargeting

/// A translator of templates of Firebase Remote Config: those for apps, whose conditions are expressions, and those for
/// servers, whose conditions may be trees.
struct FirebaseReader {
    private var project: ImportedProject
    private let keys: KeyTable
    private var conditions: [ConditionName: Condition] = [:]
    private var ruleNames = UniqueNames()
    /// The cases in which the condition being translated differs.
    var differences: Set<String> = []

    /// A condition by the place of its file and its name.
    private struct ConditionName: Hashable {
        let file: Int
        let name: String
    }

    private enum Condition {
        case translated(rule: FlagValue, differences: Set<String>)
        case impossible(Obstacle)
    }

    /// A parameter of a template.
    struct Parameter {
        let key: String
        let node: SourceNode
        /// The place of the file.
        let file: Int
    }

    static func project(_ files: [SourceFile]) throws(ImportFailure) -> ImportedProject {
        var parameters: [Parameter] = []
        var taken: Set<String> = []
        for (place, file) in files.enumerated() {
            for parameter in try Self.parameters(of: file, place) {
                guard taken.insert(parameter.key).inserted else {
                    throw ImportFailure(
                        file: file.name, at: parameter.node.pointer,
                        "the parameter \(parameter.key) is in the files twice; import the templates one by one")
                }
                parameters.append(parameter)
            }
        }
        let reference = FirebaseReference(files.map(\.content), parameters)
        var reader = FirebaseReader(parameters, reference)
        for parameter in parameters { reader.translate(parameter, SourceNode(files[parameter.file].content)) }
        return reader.project
    }

    private init(_ parameters: [Parameter], _ reference: FirebaseReference) {
        project = ImportedProject(
            attributes: AttributeTable(unit: FirebaseAttribute.installation.source), reference: reference)
        keys = KeyTable(parameters.map(\.key))
    }

    private static func parameters(of file: SourceFile, _ place: Int) throws(ImportFailure) -> [Parameter] {
        let root = SourceNode(file.content)
        let conditions = root["conditions"]?.elements ?? []
        guard root["parameters"]?.object != nil || root["parameterGroups"]?.object != nil,
            root["conditions"] == nil || root["conditions"]?.elements != nil,
            conditions.allSatisfy({ $0["name"]?.text != nil })
        else {
            throw ImportFailure(
                file: file.name, "expected a template of Firebase Remote Config, with parameters and conditions")
        }
        let groups = [root] + (root["parameterGroups"]?.members ?? []).map(\.node)
        return groups.flatMap { $0["parameters"]?.members ?? [] }.map {
            Parameter(key: $0.name, node: $0.node, file: place)
        }
    }

    private mutating func translate(_ parameter: Parameter, _ template: SourceNode) {
        do throws(Obstacle) {
            let verdict = try keep(parameter, template)
            project.report.append(
                ReportLine(
                    source: parameter.key, key: keys[parameter.key], verdict: verdict, pointer: parameter.node.pointer))
        } catch {
            project.report.append(
                ReportLine(source: parameter.key, key: nil, verdict: .cannot(error.reason), pointer: error.pointer))
        }
    }

    /// Adds an entry for a parameter without conditions, or a flag.
    private mutating func keep(_ parameter: Parameter, _ template: SourceNode) throws(Obstacle) -> ReportLine.Verdict {
        let (node, key) = (parameter.node, keys[parameter.key] ?? parameter.key)
        let type = try node.text("valueType") ?? "STRING"
        var base: FlagValue?
        if let value = node["defaultValue"] { base = try Self.value(value, type) }
        let conditional = node["conditionalValues"]?.members ?? []
        if conditional.isEmpty {
            guard let base else { throw node.obstacle("the parameter has no value here: the apps use their own") }
            project.entries.append(FlagObject.Member(key, base))
            return .exact
        }
        var variants = VariantTable()
        var branches: [(condition: FlagValue, result: FlagValue)] = []
        var differing: Set<String> = []
        var names = Set(conditional.map(\.name))
        for condition in template["conditions"]?.elements ?? [] {
            guard let name = condition["name"]?.text, names.remove(name) != nil,
                let value = conditional.first(where: { $0.name == name })?.node
            else { continue }
            let (rule, differences) = try rule(of: condition, ConditionName(file: parameter.file, name: name))
            differing.formUnion(differences)
            // A condition may choose the apps' own default.
            let chosen = try Self.value(value, type)
            branches.append((rule, chosen.map { .string(variants.add($0)) } ?? .null))
        }
        if let name = names.min() { throw node.obstacle("the condition \(name) is not in the template") }
        let defaultName = base.map { variants.add($0) }
        guard !variants.members.isEmpty else {
            throw node.obstacle("the parameter has no value here: the apps use their own")
        }
        for member in variants.members {
            if case .array = member.value { throw node.obstacle("a value of the parameter is a JSON array") }
        }
        var members = [
            FlagObject.Member("state", "ENABLED"), FlagObject.Member("variants", variants.object),
        ]
        // A null result of a rule would be the default variant.
        let isAlwaysChosen = branches.allSatisfy { $0.result != .null }
        if isAlwaysChosen, let defaultName { members.append(FlagObject.Member("defaultVariant", .string(defaultName))) }
        let otherwise: FlagValue = defaultName.map { .string($0) } ?? .null
        members.append(FlagObject.Member("targeting", Logic.first(branches, otherwise: otherwise)))
        guard let definition = FlagObject(members) else { throw node.obstacle("two members have one name") }
        let description = node["description"]?.text.flatMap { $0.isEmpty ? nil : $0 }
        project.flags.append(
            ImportedFlag(key: key, source: parameter.key, definition: definition, description: description))
        return differing.isEmpty ? .exact : .differs(when: differing.sorted())
    }

    /// Returns a value of a parameter, or nil for the apps' own default.
    static func value(_ node: SourceNode, _ type: String) throws(Obstacle) -> FlagValue? {
        if try node.bool("useInAppDefault") { return nil }
        let others = ["personalizationValue", "rolloutValue", "experimentValue"]
        if let other = others.first(where: { node[$0] != nil }) {
            throw node.obstacle("the value is a \(other.dropLast(5)), which Firebase computes")
        }
        guard let text = try node.text("value") else { throw node.obstacle("there is no value") }
        switch type {
        case "STRING", "PARAMETER_VALUE_TYPE_UNSPECIFIED": return .string(text)
        case "BOOLEAN":
            guard text == "true" || text == "false" else { throw node.obstacle("\"\(text)\" is not a boolean") }
            return .bool(text == "true")
        case "NUMBER", "JSON":
            guard let value = try? FlagValue(json: text) else { throw node.obstacle("the value is not valid JSON") }
            if case .number = value { return value }
            guard type == "JSON" else { throw node.obstacle("\"\(text)\" is not a number") }
            return value
        default: throw node.obstacle("the type \(type) is unknown")
        }
    }

    /// Returns a reference to the shared rule of a condition, with the cases in which the rule differs.
    private mutating func rule(
        of condition: SourceNode, _ name: ConditionName
    ) throws(Obstacle) -> (FlagValue, Set<String>) {
        switch conditions[name] {
        case .translated(let rule, let differences): return (rule, differences)
        case .impossible(let obstacle): throw obstacle
        case nil: break
        }
        differences = []
        do throws(Obstacle) {
            let rule = try rule(of: condition)
            // A shared rule is an object.
            let isObject = if case .object = rule { true } else { false }
            let shared = ruleNames.add("condition-\(name.name)")
            project.sharedRules.append(
                FlagObject.Member(shared, isObject ? rule : Logic.operation("!!", [rule])))
            conditions[name] = .translated(rule: Logic.shared(shared), differences: differences)
            return (Logic.shared(shared), differences)
        } catch {
            conditions[name] = .impossible(error)
            throw error
        }
    }

    mutating func variable(_ attribute: FirebaseAttribute) -> FlagValue {
        Logic.variable(project.attributes.path(of: attribute.source, preferred: attribute.path))
    }

    /// Returns true for a version of one to five numbers.
    static func isVersion(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count <= 5
            && parts.allSatisfy { part in
                (1...18).contains(part.count)
                    && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
    }
}
