internal import AlmanacTargeting

extension LaunchDarklyReference {
    /// A comparison of an attribute with values.
    struct Clause {
        let operation: String
        let isNegated: Bool
        let values: [FlagValue]
        /// The attribute's name in a caller, or nil for a malformed reference.
        let name: String?
        let isAboutKinds: Bool
        let kind: String
        private let patterns: [SourcePattern]
        private let versions: [Version]
        private let times: [Double]

        static func clauses(_ rule: SourceNode) -> [Clause] { (rule["clauses"]?.elements ?? []).map { Clause($0) } }

        private init(_ node: SourceNode) {
            operation = node["op"]?.text ?? ""
            isNegated = node["negate"]?.bool ?? false
            values = (node["values"]?.elements ?? []).map(\.value)
            let kind = node["contextKind"]?.text ?? ""
            let reference = node["attribute"]?.text ?? ""
            self.kind = kind.isEmpty ? "user" : kind
            name = Self.name(reference, kind)
            isAboutKinds = reference == "kind" || (!kind.isEmpty && reference == "/kind")
            let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
            patterns = operation == "matches" ? texts.compactMap { SourcePattern($0) } : []
            versions = operation.hasPrefix("semVer") ? texts.compactMap { Version($0) } : []
            times = ["before", "after"].contains(operation) ? values.compactMap { Self.milliseconds($0) } : []
        }

        /// Returns the name in a caller of an attribute. With a context kind, a reference that starts with a slash is a
        /// path, whose parts a caller's name has too.
        static func name(_ reference: String, _ kind: String?) -> String? {
            let kind = kind ?? ""
            var name = reference
            if !kind.isEmpty, reference.first == "/" {
                let parts = reference.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
                guard !parts.contains("") else { return nil }
                if parts.count == 1 { name = String(parts[1]).replacing("~1", with: "/").replacing("~0", with: "~") }
            } else if reference.first == "/" {
                name = "/" + reference.replacing("~", with: "~0").replacing("/", with: "~1")
            }
            guard !name.isEmpty else { return nil }
            let isUser = kind.isEmpty || kind == "user"
            return isUser && !name.contains(":") ? name : "\(isUser ? "user" : kind):\(name)"
        }

        /// Returns the key of a caller's context of a kind, or nil if there is none.
        static func key(of kind: String, in caller: [String: FlagValue]) -> FlagValue? {
            caller[kind == "user" ? "key" : "\(kind):key"]
        }

        func holds(for caller: [String: FlagValue]) -> Bool {
            guard let name else { return false }
            if isAboutKinds {
                let kinds = caller.keys.compactMap { name in
                    name == "key" ? "user" : name.hasSuffix(":key") ? String(name.dropLast(4)) : nil
                }
                return kinds.contains { matches(.string($0)) } != isNegated
            }
            let isAnonymity = name == (kind == "user" ? "anonymous" : "\(kind):anonymous")
            if isAnonymity, Self.key(of: kind, in: caller) == nil { return false }
            let value = caller[name] ?? (isAnonymity ? false : .null)
            if value == nil { return false }
            guard case .array(let elements) = value else { return matches(value) != isNegated }
            return elements.contains { matches($0) } != isNegated
        }

        private func matches(_ value: FlagValue) -> Bool {
            switch operation {
            case "in": return values.contains(value)
            case "startsWith": return text(value) { $0.starts(with: $1) }
            case "endsWith": return text(value) { $0.reversed().starts(with: $1.reversed()) }
            case "contains": return text(value) { $0.contains($1) }
            case "matches":
                guard case .string(let text) = value else { return false }
                return patterns.contains { $0.finds(in: text) }
            case "lessThan": return number(value) { $0 < $1 }
            case "lessThanOrEqual": return number(value) { $0 <= $1 }
            case "greaterThan": return number(value) { $0 > $1 }
            case "greaterThanOrEqual": return number(value) { $0 >= $1 }
            case "before": return Self.milliseconds(value).map { time in times.contains { time < $0 } } ?? false
            case "after": return Self.milliseconds(value).map { time in times.contains { time > $0 } } ?? false
            case "semVerEqual": return version(value) { !($0 < $1) && !($1 < $0) }
            case "semVerLessThan": return version(value) { $0 < $1 }
            case "semVerGreaterThan": return version(value) { $1 < $0 }
            default: return false
            }
        }

        private func text(_ value: FlagValue, _ holds: ([UInt8], [UInt8]) -> Bool) -> Bool {
            guard case .string(let text) = value else { return false }
            return values.contains { value in
                guard case .string(let other) = value else { return false }
                return holds(Array(text.utf8), Array(other.utf8))
            }
        }

        private func number(_ value: FlagValue, _ holds: (Double, Double) -> Bool) -> Bool {
            guard case .number(let number) = value else { return false }
            return values.contains { value in
                guard case .number(let other) = value else { return false }
                return holds(number.double, other.double)
            }
        }

        private func version(_ value: FlagValue, _ holds: (Version, Version) -> Bool) -> Bool {
            guard case .string(let text) = value, let version = Version(text) else { return false }
            return versions.contains { holds(version, $0) }
        }

        /// Returns a time in milliseconds since 1970: a number, or a text of RFC 3339.
        private static func milliseconds(_ value: FlagValue) -> Double? {
            if case .number(let number) = value { return number.double }
            guard case .string(let text) = value else { return nil }
            var bytes = text.utf8[...]
            func number(_ count: Int, before separators: String = "") -> Int? {
                let digits = bytes.prefix(count)
                guard digits.count == count, digits.allSatisfy({ isDigit($0) }) else { return nil }
                bytes = bytes.dropFirst(count)
                if separators.isEmpty { return Int(Substring(digits)) }
                guard let next = bytes.popFirst(), separators.utf8.contains(next) else { return nil }
                return Int(Substring(digits))
            }
            guard let year = number(4, before: "-"), let month = number(2, before: "-"),
                let day = number(2, before: "Tt"), let hour = number(2, before: ":"),
                let minute = number(2, before: ":"), let second = number(2)
            else { return nil }
            var milliseconds = 0
            if bytes.first == UInt8(ascii: ".") {
                let digits = bytes.dropFirst().prefix { isDigit($0) }
                guard !digits.isEmpty else { return nil }
                bytes = bytes.dropFirst(1 + digits.count)
                // Almanac compares milliseconds.
                milliseconds = Int((Substring(digits) + "00").prefix(3)) ?? 0
            }
            var zone = 0
            switch bytes.popFirst() {
            case UInt8(ascii: "Z"), UInt8(ascii: "z"): break
            case UInt8(ascii: "+"), UInt8(ascii: "-"):
                let isWest = text.utf8[text.utf8.index(before: bytes.startIndex)] == UInt8(ascii: "-")
                guard let hours = number(2, before: ":"), let minutes = number(2) else { return nil }
                zone = (hours * 60 + minutes) * (isWest ? -1 : 1)
            default: return nil
            }
            let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            guard bytes.isEmpty, (1...12).contains(month), (1...lengths[month - 1]).contains(day), hour < 24,
                minute < 60, second < 60
            else { return nil }
            let years = year - 1
            let days =
                years * 365 + years / 4 - years / 100 + years / 400 + lengths.prefix(month - 1).reduce(0, +) + day
                - 719_163
            return Double((((days * 24 + hour) * 60 + minute - zone) * 60 + second) * 1000 + milliseconds)
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    }

    /// A semantic version, of which the minor number and the patch may be missing.
    struct Version {
        private let numbers: [Int]
        /// The identifiers of a prerelease; none for a release.
        private let labels: [Substring]

        init?(_ text: String) {
            let release = text.prefix { $0 != "+" }
            if release.endIndex < text.endIndex {
                let build = text[release.endIndex...].dropFirst()
                guard build.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(Self.isIdentifier) else {
                    return nil
                }
            }
            let core = release.prefix { $0 != "-" }
            let parts = core.split(separator: ".", omittingEmptySubsequences: false)
            numbers = parts.compactMap { Self.number($0) } + [Int](repeating: 0, count: max(0, 3 - parts.count))
            guard numbers.count == 3, parts.allSatisfy({ Self.number($0) != nil }) else { return nil }
            labels =
                core.endIndex == release.endIndex
                ? [] : release[core.endIndex...].dropFirst().split(separator: ".", omittingEmptySubsequences: false)
            for label in labels {
                let isNumber = label.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                guard Self.isIdentifier(label), !isNumber || Self.number(label) != nil else { return nil }
            }
        }

        /// Returns a number without leading zeros.
        private static func number(_ text: Substring) -> Int? {
            guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
            return text == "0" || text.utf8.first != UInt8(ascii: "0") ? Int(text) : nil
        }

        private static func isIdentifier(_ text: Substring) -> Bool {
            !text.isEmpty
                && text.utf8.allSatisfy { byte in
                    byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                }
        }

        static func < (left: Version, right: Version) -> Bool {
            if left.numbers != right.numbers { return left.numbers.lexicographicallyPrecedes(right.numbers) }
            if left.labels.isEmpty || right.labels.isEmpty { return !left.labels.isEmpty && right.labels.isEmpty }
            for (mine, theirs) in zip(left.labels, right.labels) where mine != theirs {
                switch (Int(mine), Int(theirs)) {
                case (let mine?, let theirs?): return mine < theirs
                case (_?, nil): return true
                case (nil, _?): return false
                case (nil, nil): return mine.utf8.lexicographicallyPrecedes(theirs.utf8)
                }
            }
            return left.labels.count < right.labels.count
        }
    }

    /// Values that make clauses true or false, by the names of attributes.
    struct Probes {
        private var values: [String: [FlagValue]] = ["key": []]

        mutating func add(_ keys: Set<String>, to name: String) {
            // A list may have thousands of keys.
            for key in keys.sorted().prefix(20) { values[name, default: []].append(.string(key)) }
        }

        mutating func add(_ keys: Set<String>, toKeyOf kind: String) {
            add(keys, to: kind == "user" ? "key" : "\(kind):key")
        }

        /// Adds units, among which a rollout divides.
        mutating func add(unit: String?) {
            guard let unit, unit != "key" else { return }
            values[unit, default: []] +=
                (0..<40).map { .string("unit-\($0)") } + [.number(FlagNumber(33_333 as Int64)), 2.5]
        }

        mutating func add(_ clauses: [Clause]) {
            for clause in clauses {
                guard let name = clause.name, clause.operation != "segmentMatch" else { continue }
                if clause.isAboutKinds {
                    for case .string(let kind) in clause.values { add([kind + "-1"], toKeyOf: kind) }
                    continue
                }
                let isText = name == "key" || name.hasSuffix(":key") || name == "name" || name.hasSuffix(":name")
                for value in clause.values.prefix(20) {
                    for probe in Self.values(beside: value) {
                        if isText { guard case .string = probe else { continue } }
                        values[name, default: []].append(probe)
                    }
                }
            }
        }

        var sorted: [AttributeProbe] {
            values.sorted { $0.key < $1.key }.map { name, values in
                guard name == "key" else { return AttributeProbe(name: name, values: values) }
                // Most callers have keys that no rule knows.
                let others = (0..<max(200, 4 * values.count)).map { FlagValue.string("caller-\($0 &* 7919)") }
                return AttributeProbe(name: name, values: values + others)
            }
        }

        private static func values(beside value: FlagValue) -> [FlagValue] {
            switch value {
            case .string(let text):
                let others: [String] = [text + "x", "x" + text, text.uppercased(), String(text.dropLast()), "v" + text]
                return [value, [value], ["other", value]] + others.map { .string($0) }
                    + (Double(text).map { [.number(FlagNumber($0 as Double))] } ?? [])
            case .number(let number):
                return [
                    value, .number(FlagNumber(number.double + 1)), .number(FlagNumber(number.double - 1)),
                    .string(number.text), [value],
                ]
            case .bool(let bool):
                return [value, .bool(!bool), .string("\(bool)"), .number(FlagNumber(bool ? 1.0 : 0.0))]
            default: return [value]
            }
        }
    }
}
