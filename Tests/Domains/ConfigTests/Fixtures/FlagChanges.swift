import AlmanacJSON
import AlmanacTestSupport

/// A generator of changes to flags and shared rules: variants, kill switches, whole sets, and some invalid changes.
struct FlagChanges {
    static let keys = ["f", "g.new", "features.search", "h"]
    private static let rules = ["staff", "beta", "all"]

    func next(over values: [String: JSONValue], _ random: inout Randomness) -> AppConfigChanges.Call {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return AppConfigChanges.Call(method: "PUT", path: "/flags.json", body: set(&random))
        case 1, 2:
            let goes = values["_flags"] != nil && Int.random(in: 0..<4, using: &random) == 0
            return patch([("_flags", goes ? .null : entry(shared(&random), "flag-set"))])
        case 3, 4:
            // The merge patch changes a part of the existing definition.
            let key = Self.keys.randomElement(using: &random)!
            let merges: [JSONValue] = [
                ["state": "DISABLED"], ["variants": ["b": .null]], ["variants": ["c": 3]], ["defaultVariant": "a"],
                ["targeting": rule(&random)], ["variants": ["a": "text"]],
            ]
            let merge = merges.randomElement(using: &random)!
            return AppConfigChanges.Call(
                method: "PATCH", path: "/config", body: "\(JSONValue.object(JSONObject([(key, merge)])))")
        default:
            let keys = Self.keys.shuffled(using: &random).prefix([1, 1, 2, 3].randomElement(using: &random)!)
            return patch(keys.map { ($0, change($0, &random)) })
        }
    }

    private func patch(_ members: [(name: String, value: JSONValue)]) -> AppConfigChanges.Call {
        AppConfigChanges.Call(
            method: "PATCH", path: "/config?replace=true&form=entries", body: "\(JSONValue.object(JSONObject(members)))"
        )
    }

    private func entry(_ value: JSONValue, _ kind: String) -> JSONValue { ["value": value, "kind": .string(kind)] }

    private func change(_ key: String, _ random: inout Randomness) -> JSONValue {
        switch Int.random(in: 0..<14, using: &random) {
        case 0: .null
        case 1: entry(true, "value")
        case 2: ["description": "who sees it"]
        default: entry(definition(&random), "flag")
        }
    }

    private func set(_ random: inout Randomness) -> String {
        let flags = Self.keys.shuffled(using: &random).prefix(3).map { (name: $0, value: definition(&random)) }
        var members: [(name: String, value: JSONValue)] = [("flags", .object(JSONObject(Array(flags))))]
        members += shared(&random).objectValue?.members.filter { $0.name != "fractional" } ?? []
        return "\(JSONValue.object(JSONObject(members)))"
    }

    private func shared(_ random: inout Randomness) -> JSONValue {
        let names = Self.rules.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
        let evaluators = names.map { name -> (name: String, value: JSONValue) in
            let asks: JSONValue = ["almanac.flag": .string(Self.keys.randomElement(using: &random)!)]
            let rules: [JSONValue] = [
                ["==": [["var": "plan"], .string(name)]], ["==": [asks, "a"]], ["!": [true]],
                ["ends_with": [["var": "targetingKey"], "1"]],
            ]
            return (name, rules.randomElement(using: &random)!)
        }
        var members: [(name: String, value: JSONValue)] = [("$evaluators", .object(JSONObject(Array(evaluators))))]
        if Bool.random(using: &random) { members.append(("fractional", [2, 3].randomElement(using: &random)!)) }
        return .object(JSONObject(members))
    }

    private func definition(_ random: inout Randomness) -> JSONValue {
        let isText = Int.random(in: 0..<8, using: &random) == 0
        var variants: [(name: String, value: JSONValue)] = [("a", isText ? "x" : 1), ("b", isText ? "y" : 2)]
        if Bool.random(using: &random) { variants.append(("c", isText ? "z" : 3)) }
        if Int.random(in: 0..<6, using: &random) == 0 { variants.remove(at: 1) }
        return [
            "state": Int.random(in: 0..<5, using: &random) == 0 ? "DISABLED" : "ENABLED",
            "variants": .object(JSONObject(variants)), "defaultVariant": "a", "targeting": rule(&random),
        ]
    }

    private func rule(_ random: inout Randomness) -> JSONValue {
        let conditions: [JSONValue] = [
            ["$ref": .string(Self.rules.randomElement(using: &random)!)],
            ["==": [["almanac.flag": .string(Self.keys.randomElement(using: &random)!)], "b"]],
            ["==": [["var": "plan"], "pro"]],
        ]
        return switch Int.random(in: 0..<9, using: &random) {
        case 0: [:]
        case 1: ["fractional": [["a", 1], ["c", 1]]]
        case 2: ["no_such_operator": []]
        case 3...5: ["fractional": [["a", .number(JSONNumber(Int.random(in: 0...9, using: &random)))], ["b", 9]]]
        default: ["if": [conditions.randomElement(using: &random)!, "b", "a"]]
        }
    }
}
