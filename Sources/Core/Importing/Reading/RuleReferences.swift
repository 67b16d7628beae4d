internal import AlmanacTargeting

/// The shared rules and flags that a rule names.
struct RuleReferences {
    private(set) var rules: Set<String> = []
    private(set) var flags: Set<String> = []
    /// True if a rule splits by Almanac's own hash, whose version is a setting of the environment.
    private(set) var splits = false

    init(of rule: FlagValue) { look(at: rule) }

    private mutating func look(at value: FlagValue) {
        switch value {
        case .array(let elements): for element in elements { look(at: element) }
        case .object(let object):
            // An object with several members is a value, which holds no rule.
            guard object.members.count == 1, let member = object.members.first else { return }
            if let name = member.value.namedRule {
                if member.name == "$ref" { rules.insert(name) }
                if member.name == "almanac.flag" { flags.insert(name) }
            }
            if member.name == "fractional" { splits = true }
            look(at: member.value)
        default: break
        }
    }
}

extension FlagValue {
    /// The name that is the argument of `$ref` or `almanac.flag`.
    fileprivate var namedRule: String? {
        switch self {
        case .string(let name): name
        case .array(let arguments): arguments.count == 1 ? arguments[0].namedRule : nil
        default: nil
        }
    }

    /// Returns the rule with other names of shared rules and flags.
    func renaming(rules: [String: String], flags: [String: String]) -> FlagValue {
        switch self {
        case .array(let elements):
            return .array(FlagArray(elements.map { $0.renaming(rules: rules, flags: flags) }))
        case .object(let object):
            guard object.members.count == 1, let member = object.members.first else { return self }
            let names = member.name == "$ref" ? rules : member.name == "almanac.flag" ? flags : [:]
            let renamed = member.value.namedRule.flatMap { names[$0] }.map { FlagValue.string($0) }
            let argument = renamed ?? member.value.renaming(rules: rules, flags: flags)
            return Logic.object([FlagObject.Member(member.name, argument)])
        default: return self
        }
    }
}

extension ImportedFlag {
    /// The shared rules and flags that the flag's rule names.
    var references: RuleReferences { RuleReferences(of: definition["targeting"] ?? .null) }
}

extension FlagObject {
    /// Returns the object with another value of a member; nil removes the member.
    func setting(_ name: String, _ value: FlagValue?) -> FlagObject {
        var members = members
        let index = members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
        switch (index, value) {
        case (let index?, let value?): members[index] = Member(name, value)
        case (let index?, nil): members.remove(at: index)
        case (nil, let value?): members.append(Member(name, value))
        case (nil, nil): break
        }
        return FlagObject(members) ?? self
    }
}
