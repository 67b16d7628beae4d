/// The parts of a flag that a schedule may change.
struct GoffState {
    var rules: [GoffRule] = []
    var defaultRule: GoffRule?
    var isDisabled = false
    private(set) var start: GoffTime?
    private(set) var end: GoffTime?

    /// Reads the rules, the default rule, the state and the times of a flag, or applies a step of its schedule. A
    /// rule of a step changes the rule with its name, or is added.
    mutating func apply(_ node: SourceNode) throws(Obstacle) {
        var changes: [GoffRule] = []
        for rule in try node.list("targeting") { changes.append(try GoffRule(rule)) }
        let names = Set(rules.map { $0.name }).subtracting([""])
        let last = Dictionary(changes.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        for index in rules.indices where names.contains(rules[index].name) {
            if let change = last[rules[index].name] { rules[index].merge(change) }
        }
        rules += changes.filter { !names.contains($0.name) }
        if node["disable"] != nil { isDisabled = try node.bool("disable") }
        if let rule = node["defaultRule"] {
            let change = try GoffRule(rule)
            if defaultRule == nil { defaultRule = change } else { defaultRule?.merge(change) }
        }
        guard let experiment = node["experimentation"] else { return }
        try experiment.allowOnly(["start", "end"])
        start = try experiment.goffTime("start") ?? start
        end = try experiment.goffTime("end") ?? end
    }
}
