internal import AlmanacTargeting

/// Flagsmith's own evaluation, after flag-engine 11.1 and its Python client 6.3.
struct FlagsmithReference: SourceReference {
    private var environmentKey = ""
    private var environmentName = ""
    /// The environment's states by the features' names.
    private var states: [String: State] = [:]
    private var segments: [FlagsmithSegmentReference] = []
    /// The overriding states by the features' names, in the order of the segments.
    private var overrides: [String: [(segment: Int, priority: Double, state: State)]] = [:]
    /// The states of identities by the features' names and the identifiers' bytes.
    private var identities: [String: [[UInt8]: State]] = [:]
    private(set) var probes: [AttributeProbe] = []

    private static let unit = "$.identity.identifier"

    /// A state of a feature.
    struct State {
        let isEnabled: FlagValue
        let value: FlagValue
        let key: String
        /// The options with their shares in percent, in order.
        let options: [(value: FlagValue, weight: Double)]

        var answer: SourceAnswer { answer(value) }

        func answer(_ value: FlagValue) -> SourceAnswer {
            let members = [FlagObject.Member("enabled", isEnabled), FlagObject.Member("value", value)]
            return FlagObject(members).map { .value(.object($0)) } ?? .none
        }
    }

    init(pages: [FlagValue]) {
        for page in pages { add(page) }
        // Several pages of an environment have the same segments. A later one replaces the content of an earlier one.
        var contents: [FlagValue] = []
        var places: [String: Int] = [:]
        for segment in pages.flatMap({ $0["project"]?["segments"]?.list ?? [] }) {
            let id = (segment["id"] ?? nil).json
            if let place = places[id] {
                contents[place] = segment
            } else {
                places[id] = contents.count
                contents.append(segment)
            }
        }
        for segment in contents { add(segment: segment) }
        var values: [String: [FlagValue]] = [:]
        for segment in segments { for (name, value) in segment.probes { values[name, default: []].append(value) } }
        probes = [AttributeProbe(name: Self.unit, values: [])]
        for (name, values) in values.sorted(by: { $0.key < $1.key }) where name != Self.unit {
            probes.append(AttributeProbe(name: name, values: values + [nil]))
        }
        // Random identifiers never have values of their own, so some are those of the files.
        let known = Set(identities.values.flatMap { $0.keys }).prefix(20).map {
            FlagValue.string(String(decoding: $0, as: UTF8.self))
        }
        if !known.isEmpty {
            let others = (0..<200).map { FlagValue.string("user-\($0)") }
            probes[0] = AttributeProbe(name: Self.unit, values: known.sorted { $0.json < $1.json } + others)
        }
    }

    private mutating func add(_ page: FlagValue) {
        if case .string(let key)? = page["api_key"] { environmentKey = key }
        if case .string(let name)? = page["name"] { environmentName = name }
        for state in page["feature_states"]?.list ?? [] {
            if case .string(let name)? = state["feature"]?["name"] { states[name] = State(state) }
        }
        for identity in page["identity_overrides"]?.list ?? [] {
            guard case .string(let identifier)? = identity["identifier"] else { continue }
            for state in identity["identity_features"]?.list ?? [] {
                guard case .string(let name)? = state["feature"]?["name"] else { continue }
                if identities[name]?[Array(identifier.utf8)] == nil {
                    identities[name, default: [:]][Array(identifier.utf8)] = State(state, hasOptions: false)
                }
            }
        }
    }

    private mutating func add(segment: FlagValue) {
        for state in segment["feature_states"]?.list ?? [] {
            guard case .string(let name)? = state["feature"]?["name"] else { continue }
            var priority = Double.infinity
            if case .number(let number)? = state["feature_segment"]?["priority"] { priority = number.double }
            overrides[name, default: []].append((segments.count, priority, State(state)))
        }
        segments.append(FlagsmithSegmentReference(segment))
    }

    func answer(_ flag: String, _ attributes: [String: FlagValue], now: Int64) -> SourceAnswer {
        guard let state = states[flag] else { return .none }
        guard case .string(let identifier)? = attributes[Self.unit] else { return state.answer }
        if let own = identities[flag]?[Array(identifier.utf8)] { return own.answer }
        let caller = FlagsmithCaller(
            identifier: identifier, environmentKey: environmentKey, environmentName: environmentName,
            traits: attributes)
        var chosen: (priority: Double, state: State)?
        for (segment, priority, state) in overrides[flag] ?? [] {
            if let chosen, priority >= chosen.priority { continue }
            if segments[segment].matches(caller) { chosen = (priority, state) }
        }
        let served = chosen?.state ?? state
        if served.options.isEmpty { return served.answer }
        let place = FlagsmithCaller.percentage(served.key, caller.identityKey)
        var start = 0.0
        for (value, weight) in served.options {
            let limit = weight + start
            if start <= place, place < limit { return served.answer(value) }
            start = limit
        }
        return served.answer
    }
}

extension FlagsmithReference.State {
    fileprivate init(_ state: FlagValue, hasOptions: Bool = true) {
        isEnabled = state["enabled"] ?? nil
        value = state["feature_state_value"] ?? nil
        switch state["django_id"] {
        case .number(let number)? where number.double != 0: key = number.text
        default: if case .string(let uuid)? = state["featurestate_uuid"] { key = uuid } else { key = "" }
        }
        var options: [(order: [UInt8], value: FlagValue, weight: Double)] = []
        for option in hasOptions ? state["multivariate_feature_state_values"]?.list ?? [] : [] {
            guard case .number(let weight)? = option["percentage_allocation"] else { continue }
            let value = option["multivariate_feature_option"]?["value"] ?? nil
            options.append((Self.order(of: option), value, weight.double))
        }
        self.options = options.sorted { $0.order.lexicographicallyPrecedes($1.order) }.map { ($0.value, $0.weight) }
    }

    /// Returns the id or the UUID of an option as hexadecimal digits of one length.
    private static func order(of option: FlagValue) -> [UInt8] {
        var digits: [UInt8] = []
        if case .number(let number)? = option["id"], let id = UInt64(number.text), id > 0 {
            digits = Array(String(id, radix: 16).utf8)
        } else if case .string(let uuid)? = option["mv_fs_value_uuid"] {
            digits = uuid.lowercased().utf8.filter { $0 != UInt8(ascii: "-") }
        }
        return [UInt8](repeating: UInt8(ascii: "0"), count: max(0, 32 - digits.count)) + digits
    }
}

extension FlagValue {
    fileprivate subscript(name: String) -> FlagValue? {
        if case .object(let object) = self { object[name] } else { nil }
    }

    fileprivate var list: [FlagValue] { if case .array(let array) = self { Array(array) } else { [] } }
}
