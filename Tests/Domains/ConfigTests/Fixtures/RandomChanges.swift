import AlmanacJSON
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// A generator of random releases over a few keys: additions, removals, and changes of values, types, members and
/// descriptions.
struct RandomChanges {
    static let keys = ["a", "b.c", "b.d", "e", "F"]

    struct Release {
        let edits: [EntryEdit]

        /// Makes the release through the API.
        func send(to instance: ConfigInstance) throws {
            if edits.count == 1, let edit = edits.first, edit.description != nil, let value = edit.value {
                let body: JSONValue = ["value": value, "description": .string(edit.description ?? "")]
                _ = try instance.call("PUT", "/config/\(edit.key)", "\(body)").expecting(200, 201)
            } else {
                let members = edits.map { (name: $0.key, value: $0.value ?? .null) }
                try instance.patch("\(JSONValue.object(JSONObject(members)))")
            }
        }
    }

    mutating func next(_ random: inout Randomness) -> Release {
        let count = [1, 1, 1, 2, 3].randomElement(using: &random)!
        let keys = Self.keys.shuffled(using: &random).prefix(count)
        return Release(edits: keys.map { edit($0, &random) })
    }

    private func edit(_ key: String, _ random: inout Randomness) -> EntryEdit {
        if Int.random(in: 0..<8, using: &random) == 0 {
            return EntryEdit(key: key, value: nil, description: nil)
        }
        let describes = Int.random(in: 0..<6, using: &random) == 0
        return EntryEdit(
            key: key, value: value(&random),
            description: describes ? ["", "x", "y"].randomElement(using: &random)! : nil)
    }

    /// Returns a value, mostly of the key's existing type, so that compatible changes are common.
    private func value(_ random: inout Randomness) -> JSONValue {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: .string(["x", "y"].randomElement(using: &random)!)
        case 1: .array([.number(JSONNumber(Int.random(in: 0...1, using: &random)))])
        case 2...5: object(&random)
        default: .number(JSONNumber(Int.random(in: 0...9, using: &random)))
        }
    }

    private func object(_ random: inout Randomness) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("m", .number(JSONNumber(Int.random(in: 0...3, using: &random))))
        ]
        if Int.random(in: 0..<3, using: &random) > 0 {
            let isRetyped = Int.random(in: 0..<6, using: &random) == 0
            members.append(("n", isRetyped ? "text" : ["o": .boolean(.random(using: &random))]))
        }
        if Bool.random(using: &random) { members.append(("p", true)) }
        return .object(JSONObject(members))
    }
}
