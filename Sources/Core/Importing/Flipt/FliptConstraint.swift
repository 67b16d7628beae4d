internal import AlmanacTargeting

/// A translator of the constraints of Flipt's segments.
///
/// Flipt's contexts have texts only. A missing attribute is an empty text, and a number or a boolean is its text.
struct FliptConstraint {
    private let node: SourceNode
    private let value: FlagValue
    private let operation: String
    private let constant: String

    init(_ node: SourceNode, _ attributes: inout AttributeTable) throws(Obstacle) {
        self.node = node
        let property = try node.text("property") ?? ""
        operation = (try node.text("operator") ?? "").lowercased()
        switch node["value"]?.value {
        case nil: constant = ""
        case .string(let text): constant = text
        case .number(let number): constant = number.text
        case .bool(let isOn): constant = isOn ? "true" : "false"
        default: throw node.obstacle("the value of a constraint must be a text")
        }
        let isUnit = node["type"]?.text == "ENTITY_ID_COMPARISON_TYPE"
        guard !isUnit else {
            value = Logic.operation("cat", [Logic.variable(["targetingKey"])])
            return
        }
        guard !property.isEmpty, property.utf8.first != UInt8(ascii: "$") else {
            throw node.obstacle("\"\(property)\" is no name of an attribute")
        }
        value = Logic.operation("cat", [Logic.variable(attributes.path(of: property))])
    }

    /// Returns the rule. An operator that Flipt does not know is an obstacle.
    func rule() throws(Obstacle) -> FlagValue {
        let type = node["type"]?.text ?? ""
        switch (type, operation) {
        case ("STRING_COMPARISON_TYPE", _), ("ENTITY_ID_COMPARISON_TYPE", _):
            if let rule = try textRule() { return rule }
        case (_, "present"): return isPresent
        case (_, "notpresent"): return Logic.equal(value, "")
        case ("NUMBER_COMPARISON_TYPE", _): if let rule = try numberRule() { return rule }
        case ("BOOLEAN_COMPARISON_TYPE", "true"), ("BOOLEAN_COMPARISON_TYPE", "false"):
            return Logic.equal(value, .string(operation))
        case ("DATETIME_COMPARISON_TYPE", _): if let rule = try timeRule() { return rule }
        default: break
        }
        throw node.obstacle("the operator \"\(operation)\" of the type \"\(type)\" is unknown")
    }

    /// The case in which the rule differs.
    var clause: String? {
        guard node["type"]?.text == "DATETIME_COMPARISON_TYPE" else { return nil }
        return "\"\(node["property"]?.text ?? "")\" is a time with a space in place of the T"
    }

    private var isPresent: FlagValue { Logic.operation("!==", [value, ""]) }

    private func textRule() throws(Obstacle) -> FlagValue? {
        let text = FlagValue.string(constant)
        switch operation {
        case "empty": return Logic.equal(value, "")
        case "notempty": return isPresent
        case "eq": return constant.isEmpty ? false : Logic.equal(value, text)
        case "neq": return Logic.all([isPresent, Logic.operation("!==", [value, text])])
        case "prefix": return Logic.all([isPresent, Logic.operation("starts_with", [value, text])])
        case "suffix": return Logic.all([isPresent, Logic.operation("ends_with", [value, text])])
        case "contains": return Logic.all([isPresent, Logic.operation("in", [text, value])])
        case "notcontains": return Logic.all([isPresent, Logic.not(Logic.operation("in", [text, value]))])
        case "isoneof", "isnotoneof":
            // Flipt's clients read no escapes in such a list.
            guard let list, !constant.contains("\\"),
                list.allSatisfy({ if case .string = $0 { true } else { false } })
            else { throw node.obstacle("expected an array of texts without escapes as JSON") }
            return membership(Logic.operation("in", [value, .array(FlagArray(list))]))
        default: return nil
        }
    }

    private var list: [FlagValue]? {
        guard case .array(let elements)? = try? FlagValue(json: constant) else { return nil }
        return Array(elements)
    }

    private func membership(_ rule: FlagValue) -> FlagValue {
        Logic.all([isPresent, operation == "isoneof" ? rule : Logic.not(rule)])
    }

    /// Compares whole numbers of 32 bits. Other numbers match no constraint in Flipt's clients.
    private func numberRule() throws(Obstacle) -> FlagValue? {
        let limits: [FlagValue] = [-2_147_483_648, value, 2_147_483_647]
        let guards = [
            Logic.operation("almanac.matches", [value, "^[+-]?[0-9]+$"]), Logic.operation("<=", limits),
        ]
        let number = Logic.operation("+", [value])
        switch operation {
        case "isoneof", "isnotoneof":
            guard let list, list.allSatisfy({ Self.isWhole($0) }) else {
                throw node.obstacle("expected an array of whole numbers of 32 bits; Flipt's clients refuse others")
            }
            let rule = Logic.operation("in", [number, .array(FlagArray(list))])
            return Logic.all(guards + [operation == "isoneof" ? rule : Logic.not(rule)])
        default:
            guard let comparison = Self.comparisons[operation] else { return nil }
            guard let whole = Int32(constant) else {
                throw node.obstacle("\"\(constant)\" is no whole number of 32 bits; Flipt's clients refuse it")
            }
            return Logic.all(guards + [Logic.operation(comparison, [number, .number(FlagNumber(Int64(whole)))])])
        }
    }

    private static func isWhole(_ value: FlagValue) -> Bool {
        guard case .number(let number) = value else { return false }
        return number.isWrittenAsInteger && number.double.magnitude < 0x1p31
    }

    private static let comparisons = ["eq": "===", "neq": "!==", "lt": "<", "lte": "<=", "gt": ">", "gte": ">="]

    /// Compares times in whole seconds.
    private func timeRule() throws(Obstacle) -> FlagValue? {
        guard ["eq", "neq", "lt", "lte", "gt", "gte"].contains(operation) else { return nil }
        guard Instant(.string(constant), isLenient: false) != nil, constant.utf8.count >= 20 else {
            throw node.obstacle("\"\(constant)\" is no time with seconds and a zone; Flipt's clients refuse it")
        }
        let bytes = Array(constant.utf8)
        let zone = bytes[19...].drop { $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let start = FlagValue.string(String(decoding: bytes[..<19] + zone, as: UTF8.self))
        let end = FlagValue.string(String(decoding: bytes[..<19] + ".999".utf8 + zone, as: UTF8.self))
        func compared(_ relation: FlagValue, _ constant: FlagValue) -> FlagValue {
            Logic.operation("almanac.date", [value, relation, constant])
        }
        switch operation {
        case "eq": return Logic.all([compared(">=", start), compared("<=", end)])
        case "neq": return Logic.any([compared("<", start), compared(">", end)])
        case "lt": return compared("<", start)
        case "lte": return compared("<=", end)
        case "gt": return compared(">", end)
        default: return compared(">=", start)
        }
    }
}
