internal import AlmanacTargeting

/// ConfigCat's evaluation of its config JSON, after its clients. Values that are no texts count as texts as in the
/// JavaScript client, because the clients differ.
struct ConfigCatReference: SourceReference {
    let probes: [AttributeProbe]
    private let settings: [[UInt8]: ConfigCatSetting]
    private let segments: [ConfigCatSegment]
    private let salt: String

    /// The number of prerequisites behind each other that are followed.
    private static let maxDepth = 200
    /// The number of settings that one answer may evaluate, because prerequisites can take exponential time.
    private static let maxSettings = 10_000

    init(_ file: FlagValue) {
        let root = SourceNode(file)
        let settings = (root["f"]?.members ?? []).compactMap { name, part in
            ConfigCatSetting(part).map { (Array(name.utf8), $0) }
        }
        self.settings = Dictionary(uniqueKeysWithValues: settings)
        segments = (root["s"]?.elements ?? []).map { ConfigCatSegment($0) }
        salt = root["p"]?["s"]?.text ?? ""
        probes = ConfigCatProbes(settings.map { $0.1 }, segments).probes
    }

    /// An error that makes a client return the caller's default.
    private struct Failure: Error {}

    func answer(_ flag: String, _ attributes: [String: FlagValue], now: Int64) -> SourceAnswer {
        var settingsLeft = Self.maxSettings
        guard let value = try? value(of: flag, attributes, after: [], &settingsLeft) else { return .none }
        return .value(value)
    }

    private func value(
        of flag: String, _ user: [String: FlagValue], after visited: [String], _ settingsLeft: inout Int
    ) throws(Failure) -> FlagValue {
        settingsLeft -= 1
        guard settingsLeft > 0 else { throw Failure() }
        guard let setting = settings[Array(flag.utf8)], visited.count < Self.maxDepth, !visited.contains(flag) else {
            throw Failure()
        }
        for rule in setting.rules {
            guard try areMet(rule.conditions, flag, user, visited + [flag], &settingsLeft) else { continue }
            if let value = rule.value { return value }
            if let value = option(of: rule.options, flag, setting, user) { return value }
        }
        return option(of: setting.options, flag, setting, user) ?? setting.value
    }

    private func option(
        of options: [ConfigCatSetting.Option], _ key: String, _ setting: ConfigCatSetting, _ user: [String: FlagValue]
    ) -> FlagValue? {
        guard !options.isEmpty, !user.isEmpty else { return nil }
        let named = setting.attribute
        guard let unit = named.map({ user[$0] }) ?? user["Identifier"] ?? "" else { return nil }
        let hash = Digest.sha1(Array((key + Self.text(of: unit)).utf8).span)[0] >> 4
        var end = 0
        for option in options {
            end += option.percentage
            if Int(hash % 100) < end { return option.value }
        }
        return nil
    }

    private func areMet(
        _ conditions: [ConfigCatSetting.Condition], _ key: String, _ user: [String: FlagValue], _ visited: [String],
        _ settingsLeft: inout Int
    ) throws(Failure) -> Bool {
        for condition in conditions {
            let isMet: Bool
            switch condition {
            case .user(let comparison): isMet = result(of: comparison, key, user) == true
            case .segment(let index, let isIn):
                guard segments.indices.contains(index) else { throw Failure() }
                isMet = isMember(of: segments[index], user).map { $0 == isIn } ?? false
            case .prerequisite(let flag, let wanted, let isEqual):
                isMet = (try value(of: flag, user, after: visited, &settingsLeft) == wanted) == isEqual
            case .unknown: throw Failure()
            }
            if !isMet { return false }
        }
        return true
    }

    /// Returns true if the user is in a segment, or nil if a condition cannot be evaluated.
    private func isMember(of segment: ConfigCatSegment, _ user: [String: FlagValue]) -> Bool? {
        for comparison in segment.comparisons {
            let result = result(of: comparison, segment.name, user)
            if result != true { return result }
        }
        return true
    }

    /// Returns the result of a comparison, or nil if it cannot be evaluated.
    private func result(
        of comparison: ConfigCatComparison, _ context: String, _ user: [String: FlagValue]
    ) -> Bool? {
        guard let value = user[comparison.attribute], value != .string("") else { return nil }
        let wants = comparison.comparator.isMultiple(of: 2)
        switch comparison.comparator {
        case 0, 1, 28, 29: return comparison.has(Self.text(of: value)) == wants
        case 2, 3:
            let text = Array(Self.text(of: value).utf8)
            return comparison.texts.contains { Self.contains(text, Array($0.utf8)) } == wants
        case 30, 31:
            let text = Self.text(of: value).utf8
            return comparison.texts.contains { text.starts(with: $0.utf8) } == wants
        case 32, 33:
            let text = Self.text(of: value).utf8.reversed()
            return comparison.texts.contains { text.starts(with: $0.utf8.reversed()) } == wants
        case 16, 17, 20, 21: return comparison.has(hash(Array(Self.text(of: value).utf8), context)) == wants
        case 22...25:
            let bytes = Array(Self.text(of: value).utf8)
            let isStart = comparison.comparator < 24
            let matches = comparison.prefixes.contains { length, digest in
                bytes.count >= length
                    && hash(Array(isStart ? bytes.prefix(length) : bytes.suffix(length)), context) == digest
            }
            return matches == wants
        case 26, 27, 34, 35:
            guard case .array(let elements) = value else { return nil }
            var matches = false
            for element in elements {
                guard case .string(let text) = element else { return nil }
                let compared = comparison.comparator < 28 ? hash(Array(text.utf8), context) : text
                if comparison.has(compared) { matches = true }
            }
            return matches == wants
        case 4...9: return compareVersions(comparison, value)
        default:
            guard let number = Self.number(of: value) else { return nil }
            switch comparison.comparator {
            case 10: return number == comparison.number
            case 11: return number != comparison.number
            case 12, 18: return number < comparison.number
            case 13: return number <= comparison.number
            case 14, 19: return number > comparison.number
            default: return number >= comparison.number
            }
        }
    }

    private func compareVersions(_ comparison: ConfigCatComparison, _ value: FlagValue) -> Bool? {
        guard comparison.comparesVersions, case .string(let text) = value, let version = ConfigCatVersion(text) else {
            return nil
        }
        let orders = comparison.versions.map { version.order(against: $0) }
        switch comparison.comparator {
        case 4: return orders.contains(0)
        case 5: return !orders.contains(0)
        case 6: return orders[0] < 0
        case 7: return orders[0] <= 0
        case 8: return orders[0] > 0
        default: return orders[0] >= 0
        }
    }

    private func hash(_ bytes: [UInt8], _ context: String) -> String {
        Digest.sha256((bytes + Array((salt + context).utf8)).span).map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    static func text(of value: FlagValue) -> String {
        switch value {
        case .string(let text): text
        case .number(let number): Int64(exactly: number.double).map { $0.description } ?? number.double.description
        default: value.json
        }
    }

    private static func number(of value: FlagValue) -> Double? {
        switch value {
        case .number(let number): number.double
        case .string(let text):
            number(of: text.filter { !" \t".contains($0) }.replacing(",", with: "."))
        default: nil
        }
    }

    private static func number(of text: String) -> Double? {
        switch text {
        case "Infinity", "+Infinity": .infinity
        case "-Infinity": -.infinity
        case "NaN": .nan
        default: text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) } ? Double(text) : nil
        }
    }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        if part.isEmpty { return true }
        return text.indices.contains { text[$0...].starts(with: part) }
    }
}
