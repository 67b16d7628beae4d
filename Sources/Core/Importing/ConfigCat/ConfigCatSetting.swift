internal import AlmanacTargeting

/// A setting of ConfigCat's config JSON, as its clients read it.
struct ConfigCatSetting {
    let value: FlagValue
    let rules: [Rule]
    let options: [Option]
    /// The attribute whose text the percentage options hash, or nil for the Identifier.
    let attribute: String?

    struct Rule {
        let conditions: [Condition]
        let value: FlagValue?
        let options: [Option]
    }

    struct Option {
        let percentage: Int
        let value: FlagValue
    }

    enum Condition {
        case user(ConfigCatComparison)
        case segment(Int, isIn: Bool)
        case prerequisite(String, FlagValue, isEqual: Bool)
        case unknown
    }

    /// Reads a setting, or returns nil if a value is not of the setting's type.
    init?(_ part: SourceNode) {
        guard let type = part["t"]?.integer, (0...3).contains(type) else { return nil }
        let name = ["b", "s", "i", "d"][type]
        var isValid = true
        func value(_ part: SourceNode) -> FlagValue {
            let value = part["v"]?[name]
            switch type {
            case 0: if value?.bool == nil { isValid = false }
            case 1: if value?.text == nil { isValid = false }
            default: if value?.number == nil { isValid = false }
            }
            return value?.value ?? .null
        }
        func options(_ part: SourceNode) -> [Option] {
            (part["p"]?.elements ?? []).map { Option(percentage: min(100, $0["p"]?.integer ?? 0), value: value($0)) }
        }
        self.value = value(part)
        rules = (part["r"]?.elements ?? []).map { rule in
            Rule(
                conditions: (rule["c"]?.elements ?? []).map { Condition($0) },
                value: rule["s"].map { value($0) }, options: options(rule))
        }
        self.options = options(part)
        attribute = part["a"]?.text
        guard isValid else { return nil }
    }
}

extension ConfigCatSetting.Condition {
    fileprivate init(_ part: SourceNode) {
        if let comparison = part["u"].flatMap({ ConfigCatComparison($0) }) {
            self = .user(comparison)
        } else if let index = part["s"]?["s"]?.integer {
            self = .segment(index, isIn: part["s"]?["c"]?.integer == 0)
        } else if let flag = part["p"]?["f"]?.text, let value = part["p"]?["v"]?.object?.members.first?.value {
            self = .prerequisite(flag, value, isEqual: part["p"]?["c"]?.integer == 0)
        } else {
            self = .unknown
        }
    }
}

/// A segment of ConfigCat's config JSON.
struct ConfigCatSegment {
    let name: String
    let comparisons: [ConfigCatComparison]

    init(_ part: SourceNode) {
        name = part["n"]?.text ?? ""
        comparisons = (part["r"]?.elements ?? []).compactMap { ConfigCatComparison($0) }
    }
}

/// A comparison of a user's attribute with constants.
struct ConfigCatComparison {
    let attribute: String
    let comparator: Int
    let texts: [String]
    let number: Double
    let versions: [ConfigCatVersion]
    /// True if all texts are versions.
    let comparesVersions: Bool
    /// The lengths and digests of hidden beginnings and ends.
    let prefixes: [(length: Int, digest: String)]
    private let bytes: Set<[UInt8]>

    init?(_ part: SourceNode) {
        guard let attribute = part["a"]?.text, let comparator = part["c"]?.integer, (0...35).contains(comparator) else {
            return nil
        }
        (self.attribute, self.comparator) = (attribute, comparator)
        texts = part["l"]?.elements?.compactMap { $0.text } ?? part["s"]?.text.map { [$0] } ?? []
        number = part["d"]?.number?.double ?? 0
        let named = texts.filter { comparator > 5 || !$0.allSatisfy { $0.isWhitespace } }
        versions = named.compactMap { ConfigCatVersion($0) }
        comparesVersions = !versions.isEmpty && versions.count == named.count
        prefixes = texts.compactMap { text in
            guard let end = text.firstIndex(of: "_"), let length = Int(text[..<end]), length > 0 else { return nil }
            return (length, String(text[text.index(after: end)...]))
        }
        bytes = Set(texts.map { Array($0.utf8) })
    }

    func has(_ text: String) -> Bool { bytes.contains(Array(text.utf8)) }
}

/// A semantic version (semver.org) of three numbers, with spaces around it ignored.
struct ConfigCatVersion {
    private let numbers: [Int]
    private let label: [Substring]

    init?(_ text: String) {
        var text = Substring(text.drop { $0.isWhitespace })
        while text.last?.isWhitespace == true { text.removeLast() }
        let sides = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        guard let version = sides.first else { return nil }
        let parts = version.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let digits = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        numbers = digits.compactMap { Self.number($0) }
        label = parts.count > 1 ? parts[1].split(separator: ".", omittingEmptySubsequences: false) : []
        let build = sides.count > 1 ? sides[1].split(separator: ".", omittingEmptySubsequences: false) : []
        guard digits.count == 3, numbers.count == 3, (label + build).allSatisfy({ Self.isIdentifier($0) }),
            label.allSatisfy({ $0 == "0" || $0.first != "0" || Int($0) == nil })
        else { return nil }
    }

    private static func isIdentifier(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    private static func number(_ text: Substring) -> Int? {
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }), text == "0" || text.first != "0" else { return nil }
        return Int(text)
    }

    /// Returns a negative number, 0 or a positive number.
    func order(against other: ConfigCatVersion) -> Int {
        for (mine, theirs) in zip(numbers, other.numbers) where mine != theirs { return mine < theirs ? -1 : 1 }
        if label.isEmpty || other.label.isEmpty { return (label.isEmpty ? 1 : 0) - (other.label.isEmpty ? 1 : 0) }
        for (mine, theirs) in zip(label, other.label) where mine != theirs {
            switch (Int(mine), Int(theirs)) {
            case (let mine?, let theirs?): return mine < theirs ? -1 : 1
            case (.some, nil): return -1
            case (nil, .some): return 1
            default: return mine.utf8.lexicographicallyPrecedes(theirs.utf8) ? -1 : 1
            }
        }
        return label.count - other.label.count
    }
}
