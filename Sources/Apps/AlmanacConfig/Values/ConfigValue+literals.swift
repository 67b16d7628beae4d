/// Values in source code: `["app.title": "Cats", "app.limit": 20]`.
extension ConfigValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) {
        self.init(checked: JSONString.json(of: value))
    }

    public init(integerLiteral value: Int) {
        self.init(checked: "\(value)")
    }

    public init(floatLiteral value: Double) {
        precondition(value.isFinite, "JSON has no number for \(value)")
        self.init(checked: "\(value)")
    }

    public init(booleanLiteral value: Bool) {
        self.init(checked: "\(value)")
    }

    public init(arrayLiteral elements: ConfigValue...) {
        self.init(checked: "[" + elements.map(\.json).joined(separator: ",") + "]")
    }

    public init(dictionaryLiteral elements: (String, ConfigValue)...) {
        let members = elements.map { JSONString.json(of: $0) + ":" + $1.json }
        self.init(checked: "{" + members.joined(separator: ",") + "}")
    }
}
