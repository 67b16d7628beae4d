public struct ConfigKey: Sendable, ExpressibleByStringLiteral {
    public var components: [String]

    public init(stringLiteral value: String) { components = value.split(separator: ".").map(String.init) }
}

/// A reader that asks its providers in order.
public struct ConfigReader: Sendable {
    private let providers: [any ConfigProvider]

    public init(providers: [any ConfigProvider]) { self.providers = providers }

    public func bool(forKey key: ConfigKey, default: Bool) -> Bool {
        for provider in providers {
            let found = try? provider.value(forKey: AbsoluteConfigKey(key.components), type: .bool).value?.content
            if case .bool(let value)? = found { return value }
        }
        return `default`
    }
}
