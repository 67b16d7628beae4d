internal import AlmanacTargeting

/// The attributes that Unleash's rules read, with the constants of the rules and values beside them.
struct UnleashProbes {
    private var values: [String: [FlagValue]] = [:]
    /// The attributes by which callers are placed.
    private var units: Set<String> = ["userId"]
    /// The number of constants of one attribute, which bounds the work for long lists.
    private static let maxValues = 500
    private static let unitCount = 2000
    /// The attributes that apps send as texts.
    private static let areTexts = ["userId", "sessionId"]

    init(_ document: UnleashDocument) {
        for feature in document.features {
            for strategy in feature.strategies {
                read(constraints: strategy["constraints"])
                read(strategy)
                addUnit(strategy["parameters"]?["stickiness"])
            }
            for variant in feature.variants?.elements ?? [] {
                addUnit(variant["stickiness"])
                for override in variant["overrides"]?.elements ?? [] {
                    for value in override["values"]?.elements ?? [] { add(value.text, to: override["contextName"]) }
                }
            }
        }
        for segment in document.segments.values { read(constraints: segment["constraints"]) }
    }

    /// The probes in the order of the names, so that a verification can be repeated.
    var probes: [AttributeProbe] {
        Set(values.keys).union(units).sorted().map { name in
            var all = values[name] ?? []
            if units.contains(name) {
                all += (0..<Self.unitCount).map { .string("\(name == "userId" ? "user-" : "")\($0 * 7919 % 100_003)") }
            }
            if Self.areTexts.contains(name) {
                all = all.filter { if case .string = $0 { true } else { false } }
            } else if units.contains(name) {
                all += [17, 0.5, true]
            }
            return AttributeProbe(name: name, values: all)
        }
    }

    private mutating func read(_ strategy: SourceNode) {
        switch strategy["name"]?.text {
        case "userWithId": add(list: strategy["parameters"]?["userIds"], to: "userId")
        case "remoteAddress": add(list: strategy["parameters"]?["IPs"], to: "remoteAddress")
        case "gradualRolloutSessionId": units.insert("sessionId")
        default: break
        }
    }

    private mutating func add(list: SourceNode?, to name: String) {
        for text in list?.text?.split(separator: ",") ?? [] {
            for value in Self.neighbours(of: String(text.drop(while: \.isWhitespace)), "IN") { add(value, to: name) }
        }
    }

    private mutating func addUnit(_ stickiness: SourceNode?) {
        switch stickiness?.text {
        case "random"?: break
        case nil, "default"?: units.insert("sessionId")
        case let name?: units.insert(name)
        }
    }

    private mutating func read(constraints: SourceNode?) {
        for constraint in constraints?.elements ?? [] {
            guard let name = constraint["contextName"]?.text, let operation = constraint["operator"]?.text else {
                continue
            }
            let constants = (constraint["values"]?.elements ?? []) + [constraint["value"]].compactMap { $0 }
            for text in constants.compactMap(\.text) {
                for value in Self.neighbours(of: text, operation) { add(value, to: name) }
            }
        }
    }

    private mutating func add(_ text: String?, to name: SourceNode?) {
        if let text, let name = name?.text { add(.string(text), to: name) }
    }

    private mutating func add(_ value: FlagValue, to name: String) {
        guard values[name, default: []].count < Self.maxValues else { return }
        values[name, default: []].append(value)
    }

    /// Returns values at and beside a constant.
    private static func neighbours(of text: String, _ operation: String) -> [FlagValue] {
        switch operation {
        case "NUM_EQ", "NUM_GT", "NUM_GTE", "NUM_LT", "NUM_LTE":
            guard let number = Double(text), number.magnitude < 1e15 else { return [.string(text)] }
            return [
                .string(text), .number(FlagNumber(number)), .number(FlagNumber(number - 1)),
                .string("\(number + 0.5)"), "", "ten", " 5", "inf", "-Infinity", "1e3", ".5",
            ]
        case "DATE_AFTER", "DATE_BEFORE":
            return [.string(text), "1999-12-31T23:59:59Z", "2199-01-01T00:00:00+01:00", "soon", ""]
        case "SEMVER_EQ", "SEMVER_GT", "SEMVER_GTE", "SEMVER_LT", "SEMVER_LTE":
            return [
                .string(text), .string(text + "-beta.2"), .string(text + "+build.5"), .string("v" + text), "0.0.1",
                "999.10.2", "2", "1.2", 3,
            ]
        case "REGEX": return ["", "Anna", "anna@example.com", "42", "a-1", .string(text), 42, true]
        case "IN_CIDR":
            return [.string(String(text.prefix { $0 != "/" })), "::1", "203.0.113.9", "::ffff:10.0.0.1", "x"]
        default:
            var all: [FlagValue] = [
                .string(text), .string(text + "x"), .string("x" + text), .string(text.uppercased()), "",
            ]
            if let number = Int64(text), String(number) == text { all.append(.number(FlagNumber(number))) }
            if text == "true" || text == "false" { all.append(.bool(text == "true")) }
            return all
        }
    }
}
