internal import AlmanacTargeting

/// The attributes that ConfigCat's conditions read, with values around the constants of the conditions.
struct ConfigCatProbes {
    private var values: [String: [FlagValue]] = [:]
    /// The attributes that a condition compares as a text. They are no arrays.
    private var texts: Set<String> = []

    init(_ settings: [ConfigCatSetting], _ segments: [ConfigCatSegment]) {
        values["Identifier"] = ["", "Ünïcode 用户", 4711] + (0..<400).map { .string("user-\($0 * 7919)") }
        var comparisons = segments.flatMap { $0.comparisons }
        for setting in settings {
            for condition in setting.rules.flatMap({ $0.conditions }) {
                if case .user(let comparison) = condition { comparisons.append(comparison) }
            }
            if let name = setting.attribute, values[name] == nil {
                values[name] = ["", 12, 0.5, true] + (0..<40).map { .string("group \($0)") }
            }
        }
        for comparison in comparisons where !Self.readsArray(comparison) { texts.insert(comparison.attribute) }
        for comparison in comparisons { add(comparison) }
    }

    var probes: [AttributeProbe] {
        values.sorted { $0.key < $1.key }.map { AttributeProbe(name: $0.key, values: $0.value) }
    }

    private static func readsArray(_ comparison: ConfigCatComparison) -> Bool {
        [26, 27, 34, 35].contains(comparison.comparator)
    }

    private mutating func add(_ comparison: ConfigCatComparison) {
        let name = comparison.attribute
        let isVersion = (4...9).contains(comparison.comparator)
        // Some constants stand for many. Spaces around a version are one of the differences that the report names.
        let constants = comparison.texts.prefix(20).map { isVersion ? $0.filter { $0 != " " } : $0 }
        values[name, default: ["", true]] += constants.map { .string($0) }
        switch comparison.comparator {
        case 4...9:
            for text in constants {
                values[name]? += ["\(text)-rc.1", "\(text)+build.5", "v\(text)", "\(text).1"].map { .string($0) }
            }
            values[name]? += ["0.9.10", "1.0.0-alpha", "999.0.0", "2", 2]
        case 10...15, 18, 19:
            for number in [comparison.number - 1, comparison.number, comparison.number + 0.5] {
                values[name]? += [.number(FlagNumber(number)), .string(" \(number) ")]
            }
            values[name]? += ["many", "1e3", "0x10", "-", 0]
        case 26, 27, 34, 35:
            if texts.contains(name) { return }
            for text in constants {
                values[name]? += [[.string(text)], ["other", .string(text)], [.string(text), 1]]
            }
            values[name]? += [[], ["other"]]
        default:
            for text in constants {
                values[name]? += ["\(text)x", "x\(text)", text.uppercased()].map { .string($0) }
                if let number = Double(text) { values[name]?.append(.number(FlagNumber(number))) }
            }
            values[name]? += ["Ünïcode 用户", 42, 4.25]
        }
    }
}
