internal import AlmanacTargeting

/// Firebase's evaluation of templates: of trees as its server libraries do it, and of expressions as its documentation
/// describes them.
struct FirebaseReference: SourceReference {
    private let templates: [Template]
    private let parameters: [String: Parameter]

    private struct Template {
        /// The conditions in the order of their priority.
        let conditions: [(name: String, condition: Condition)]
    }

    private enum Condition {
        case tree(SourceNode)
        case expression([Element])
    }

    private struct Parameter {
        let template: Int
        let type: String
        let base: SourceNode?
        let conditional: [String: SourceNode]
    }

    init(_ files: [FlagValue], _ parameters: [FirebaseReader.Parameter]) {
        templates = files.map { file in
            let conditions = SourceNode(file)["conditions"]?.elements ?? []
            return Template(
                conditions: conditions.map { node in
                    let name = node["name"]?.text ?? ""
                    if let tree = node["condition"] { return (name, .tree(tree)) }
                    return (name, .expression(Element.elements(node["expression"]?.text ?? "")))
                })
        }
        self.parameters = parameters.reduce(into: [:]) { all, parameter in
            all[parameter.key] = Parameter(
                template: parameter.file, type: parameter.node["valueType"]?.text ?? "STRING",
                base: parameter.node["defaultValue"],
                conditional: (parameter.node["conditionalValues"]?.members ?? []).reduce(into: [:]) {
                    $0[$1.name] = $1.node
                })
        }
    }

    func answer(_ flag: String, _ attributes: [String: FlagValue], now: Int64) -> SourceAnswer {
        guard let parameter = parameters[flag] else { return .none }
        var chosen = parameter.base
        for (name, condition) in templates[parameter.template].conditions {
            guard let value = parameter.conditional[name], holds(condition, attributes, now) else { continue }
            chosen = value
            break
        }
        guard let chosen, chosen["useInAppDefault"]?.bool != true, let text = chosen["value"]?.text else {
            return .none
        }
        switch parameter.type {
        case "BOOLEAN": return .value(.bool(text == "true"))
        case "NUMBER", "JSON": return (try? FlagValue(json: text)).map { .value($0) } ?? .none
        default: return .value(.string(text))
        }
    }

    var probes: [AttributeProbe] {
        var values: [String: [FlagValue]] = ["firebaseInstallationId": []]
        for case (_, let condition) in templates.flatMap(\.conditions) {
            switch condition {
            case .expression(let elements):
                for element in elements { values[element.attribute, default: []] += element.probes }
            case .tree(let tree):
                var left = [tree]
                while let node = left.popLast() {
                    if let signal = node["customSignal"], let key = signal["customSignalKey"]?.text {
                        let targets = (signal["targetCustomSignalValues"]?.elements ?? []).compactMap(\.text)
                        values["customSignal.\(key)", default: []] += targets.flatMap { Self.probes(beside: $0) }
                    }
                    for name in ["orCondition", "andCondition"] { left += node[name]?["conditions"]?.elements ?? [] }
                }
            }
        }
        values[""] = nil
        return values.sorted { $0.key < $1.key }.map { name, values in
            let isUnit = name == "firebaseInstallationId"
            guard isUnit else { return AttributeProbe(name: name, values: values) }
            let texts = values.filter { if case .string = $0 { true } else { false } }
            return AttributeProbe(name: name, values: texts + (0..<400).map { .string("fid-\($0 &* 7919)") })
        }
    }

    static func probes(beside text: String) -> [FlagValue] {
        let texts: [String] = [
            text, " \(text)\t", text + "1", "x" + text, text.uppercased(), String(text.dropLast()), "", "1.2.3.4.5",
            "-3",
        ]
        let number = Double(text) ?? 7
        return texts.map { .string($0) }
            + [number, number + 1, number - 0.5, 0].map { .number(FlagNumber($0 as Double)) } + [true, [.string(text)]]
    }

    private func holds(_ condition: Condition, _ caller: [String: FlagValue], _ now: Int64) -> Bool {
        switch condition {
        case .tree(let tree): Self.holds(tree, caller, 0)
        case .expression(let elements): elements.allSatisfy { $0.holds(caller, now) }
        }
    }

    private static func holds(_ node: SourceNode, _ caller: [String: FlagValue], _ level: Int) -> Bool {
        if level >= 10 { return false }
        if let list = node["orCondition"] {
            return (list["conditions"]?.elements ?? []).contains { holds($0, caller, level + 2) }
        }
        if let list = node["andCondition"] {
            return (list["conditions"]?.elements ?? []).allSatisfy { holds($0, caller, level + 2) }
        }
        if node["true"] != nil { return true }
        if node["false"] != nil { return false }
        if let percent = node["percent"] {
            guard let bucket = bucket(of: caller, seed: percent["seed"]?.text ?? "") else { return false }
            let micro = percent["microPercent"]?.number?.double ?? 0
            switch percent["percentOperator"]?.text {
            case "LESS_OR_EQUAL": return bucket <= micro
            case "GREATER_THAN": return bucket > micro
            default:
                let range = percent["microPercentRange"]
                return bucket > range?["microPercentLowerBound"]?.number?.double ?? 0
                    && bucket <= range?["microPercentUpperBound"]?.number?.double ?? 0
            }
        }
        guard let signal = node["customSignal"], let key = signal["customSignalKey"]?.text,
            let name = signal["customSignalOperator"]?.text,
            let text = Signal.text(caller["customSignal.\(key)"]), !text.isEmpty
        else { return false }
        if case .number(let number)? = caller["customSignal.\(key)"], number.double == 0 { return false }
        let targets = (signal["targetCustomSignalValues"]?.elements ?? []).compactMap(\.text)
        return Signal(text: text).compares(name, targets)
    }

    /// Returns the bucket of an installation in millionths of a percent.
    static func bucket(of caller: [String: FlagValue], seed: String) -> Double? {
        guard let unit = Signal.text(caller["firebaseInstallationId"]), !unit.isEmpty else { return nil }
        let words = Digest.sha256(Array((seed.isEmpty ? unit : seed + "." + unit).utf8).span)
        var rest: UInt64 = 0
        for word in words { rest = (rest * 4_294_967_296 + UInt64(word)) % 100_000_000 }
        return Double(rest)
    }
}
