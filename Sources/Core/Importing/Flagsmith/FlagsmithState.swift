internal import AlmanacTargeting

/// A feature's state and value: in the environment, or for a segment or an identity.
struct FlagsmithState {
    let isEnabled: Bool
    let value: FlagValue
    /// The key that Flagsmith hashes to choose an option.
    let key: String
    /// The options of a multivariate feature, in the order in which they take their shares.
    private(set) var options: [Option] = []

    struct Option {
        let name: String?
        let value: FlagValue
        /// The share in percent.
        let weight: Double
        /// The position: an id, or a UUID as a number.
        let position: (UInt64, UInt64)
    }

    /// Reads a feature state of an environment document.
    ///
    /// - Parameter hasOptions: False for an identity, whose state has no options.
    init(_ node: SourceNode, hasOptions: Bool = true) throws(Obstacle) {
        guard case .bool(let isEnabled)? = node["enabled"]?.value else {
            throw node.obstacle("\"enabled\" must be true or false")
        }
        self.isEnabled = isEnabled
        value = try Self.value(of: node, "feature_state_value")
        let list = hasOptions ? try node.list("multivariate_feature_state_values") : []
        key = list.isEmpty ? "" : try Self.key(of: node)
        for option in list { options.append(try Option(option)) }
        options = options.enumerated().sorted { left, right in
            let (first, second) = (left.element.position, right.element.position)
            return (first.0, first.1, left.offset) < (second.0, second.1, right.offset)
        }.map { $0.element }
    }

    /// Returns the key of a feature state: the number, or the UUID if there is no number.
    private static func key(of node: SourceNode) throws(Obstacle) -> String {
        if let number = try node.integer("django_id"), number != 0 { return number.description }
        guard let uuid = try node.text("featurestate_uuid") else {
            throw node.obstacle("a multivariate feature without \"django_id\" and \"featurestate_uuid\"")
        }
        return uuid
    }

    fileprivate static func value(of node: SourceNode, _ name: String) throws(Obstacle) -> FlagValue {
        switch node.object?[name] {
        case nil: throw node.obstacle("\"\(name)\" is missing")
        case .array?, .object?: throw node.obstacle("\"\(name)\" must be a text, a number, a boolean or null")
        case let value?: return value
        }
    }
}

extension FlagsmithState.Option {
    fileprivate init(_ node: SourceNode) throws(Obstacle) {
        guard let option = node["multivariate_feature_option"] else {
            throw node.obstacle("\"multivariate_feature_option\" is missing")
        }
        name = try option.text("key")
        value = try FlagsmithState.value(of: option, "value")
        guard let weight = node["percentage_allocation"]?.number?.double, weight >= 0 else {
            throw node.obstacle("\"percentage_allocation\" must be a number from 0")
        }
        self.weight = weight
        if let id = try node.integer("id"), id != 0 {
            guard id > 0 else { throw node.obstacle("\"id\" must not be negative") }
            position = (0, UInt64(id))
        } else {
            let digits = (try node.text("mv_fs_value_uuid") ?? "").utf8.filter { $0 != UInt8(ascii: "-") }
            guard digits.count == 32, !digits.contains(UInt8(ascii: "+")),
                let high = UInt64(String(decoding: digits[..<16], as: UTF8.self), radix: 16),
                let low = UInt64(String(decoding: digits[16...], as: UTF8.self), radix: 16)
            else { throw node.obstacle("an option without \"id\" and a UUID as \"mv_fs_value_uuid\"") }
            position = (high, low)
        }
    }
}
