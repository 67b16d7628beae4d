import AlmanacJSON
import AlmanacTestSupport

/// A generator of typical changes to an app's config: switches, limits, texts, lists, nested objects. Occasionally a
/// key is removed, restored, or given another type.
struct AppConfigChanges {
    /// A request that changes the config, without `dry_run`.
    struct Call {
        let method: String
        let path: String
        let body: String

        func path(trial: Bool) -> String {
            trial ? path + (path.contains("?") ? "&" : "?") + "dry_run=true" : path
        }
    }

    private var editDeck = Deck(40)
    private var objectDeck = Deck(12)

    private static let commonEntries: [(key: String, value: JSONValue)] = [
        ("app.theme", "system"), ("app.accent_color", "#1d7a46"), ("app.min_version", "3.1.0"),
        ("app.support_email", "help@example.com"), ("limits", ["retries": 3, "timeout": ["connect": 2, "read": 30]]),
        ("limits.retries", 3), ("limits.upload_bytes", 10_485_760),
        ("banner", ["text": ["en": "Welcome back", "de": "Willkommen zurück"], "links": ["https://example.com/a"]]),
        ("checkout.providers", [["name": "card", "fee": 0], ["name": "invoice", "fee": 3]]),
        ("onboarding.steps", ["hello", "permissions", "sign-in"]), ("features.search", true),
        ("features.offline_sync", false), ("features.rollout", 25), ("endpoints.api", "https://api.example.com/v3"),
        ("legal.terms_url", "https://example.com/terms"),
        ("texts.welcome", "مرحبا 👋 – schön, dass du da bist"),
        ("experiments.checkout_button", ["variants": ["a": 50, "b": 50], "seed": "2026-11"]), ("empty", [:]),
        ("app", 1),
    ]

    private static let texts: [JSONValue] = [
        "dark", "light", "", "Grüße aus Köln", "https://example.com/neu", "שלום", "e\u{301}", "é", "3.2.0",
        "a\"b\\c\n",
    ]
    private static let numbers = ["0", "1", "3", "30", "1.10", "1.1", "9007199254740993", "-0.5", "0.1", "1000000"]
    private static let names = ["en", "de", "retries", "read", "fee", "a/b", "~", "note"]

    /// Restores the config of one of the last releases.
    ///
    /// - Parameter revision: the newest revision.
    func restore(before revision: Int64, _ random: inout Randomness) -> Call {
        let place = Int64.random(in: max(1, revision - 6)...revision, using: &random)
        return Call(method: "POST", path: "/releases/\(place)/restore", body: "")
    }

    /// A request that describes a missing entry, which the server refuses.
    static let refused = Call(
        method: "PATCH", path: "/config?replace=true&form=entries", body: #"{"nowhere":{"description":"none"}}"#)

    /// Changes some entries.
    ///
    /// - Parameter values: the newest config.
    mutating func next(over values: [String: JSONValue], _ random: inout Randomness) throws -> Call {
        let count = values.isEmpty ? 10 : [1, 1, 1, 1, 2, 3, 6].randomElement(using: &random)!
        let edits = try Self.commonEntries.shuffled(using: &random).prefix(count).map { common in
            (key: common.key, value: try edited(values[common.key], common.value, &random))
        }
        let form = Int.random(in: 0..<3, using: &random)
        let members = edits.map { edit -> (name: String, value: JSONValue) in
            guard let value = edit.value else { return (edit.key, .null) }
            switch form {
            case 0: return (edit.key, (values[edit.key] ?? .null).mergePatch(to: value) ?? value)
            case 1: return (edit.key, value)
            default: return (edit.key, entry(value, isThere: values[edit.key] != nil, &random))
            }
        }
        let query = ["", "?replace=true", "?replace=true&form=entries"][form]
        return Call(method: "PATCH", path: "/config\(query)", body: "\(JSONValue.object(JSONObject(members)))")
    }

    private func entry(_ value: JSONValue, isThere: Bool, _ random: inout Randomness) -> JSONValue {
        let description = Self.texts.randomElement(using: &random)!
        return switch Int.random(in: 0..<4, using: &random) {
        case 0: ["value": value, "description": description]
        // A description without a value is sometimes sent for a missing entry, which the server refuses.
        case 1 where isThere || Bool.random(using: &random): ["description": description]
        default: ["value": value]
        }
    }

    /// Returns the changed value, or nil to remove the key.
    private mutating func edited(
        _ value: JSONValue?, _ commonValue: JSONValue, _ random: inout Randomness
    ) throws -> JSONValue? {
        guard let value else { return commonValue }
        switch editDeck.draw(&random) {
        case 0...1: return nil
        case 2: return retyped(value, &random)
        case 3: return commonValue
        default: return try changed(value, &random)
        }
    }

    private mutating func changed(_ value: JSONValue, _ random: inout Randomness) throws -> JSONValue {
        switch value {
        case .null, .boolean: return .boolean(.random(using: &random))
        case .number: return try JSONValue(json: Self.numbers.randomElement(using: &random)!)
        case .string: return Self.texts.randomElement(using: &random)!
        case .array(let elements):
            guard Bool.random(using: &random) else { return .array(elements.dropLast()) }
            return .array(elements + [Self.texts.randomElement(using: &random)!])
        case .object(let object): return .object(try changed(object, &random))
        }
    }

    private mutating func changed(_ object: JSONObject, _ random: inout Randomness) throws -> JSONObject {
        let name = Self.names.randomElement(using: &random)!
        switch objectDeck.draw(&random) {
        case 0: return object.members.randomElement(using: &random).map { object.removing($0.name) } ?? object
        case 1: return object.setting(name, Self.texts.randomElement(using: &random)!)
        case 2: return object.setting(name, try JSONValue(json: Self.numbers.randomElement(using: &random)!))
        case 3: return object.setting(name, [:])
        case 4: return object.setting(name, .null)
        case let kind:
            guard let member = object.members.randomElement(using: &random) else { return object }
            return object.setting(
                member.name, kind == 5 ? retyped(member.value, &random) : try changed(member.value, &random))
        }
    }

    private func retyped(_ value: JSONValue, _ random: inout Randomness) -> JSONValue {
        value.stringValue == nil ? Self.texts.randomElement(using: &random)! : true
    }
}
