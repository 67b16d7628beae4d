internal import AlmanacTargeting

/// The evaluation of Flipt's clients, which evaluate a snapshot of the server's flags themselves.
struct FliptReference: SourceReference {
    let probes: [AttributeProbe]
    private let flags: [String: FlagObject]
    fileprivate let segments: [String: (isAny: Bool, constraints: [Constraint])]

    fileprivate struct Constraint {
        let type: String
        let property: String
        let operation: String
        let value: String
        /// The elements of a value that is an array, as texts.
        let list: Set<String>
    }

    init(_ flags: [FlagValue], segments: [String: FlagValue]) {
        let objects = flags.compactMap { Self.object($0) }
        self.flags = Dictionary(objects.map { (Self.text($0["key"]), $0) }, uniquingKeysWith: { first, _ in first })
        self.segments = segments.compactMapValues { value -> (isAny: Bool, constraints: [Constraint])? in
            guard let segment = Self.object(value) else { return nil }
            let constraints = Self.objects(segment["constraints"]).map { Constraint($0) }
            return (Self.text(segment["match_type"]).hasPrefix("ANY"), constraints)
        }
        var values: [String: [FlagValue]] = [:]
        for constraint in self.segments.values.flatMap({ $0.constraints }) where constraint.type.first != "E" {
            let texts = [constraint.value] + constraint.list.sorted().prefix(10)
            values[constraint.property, default: []] += texts.flatMap { Self.variants(of: $0) }
        }
        probes =
            [AttributeProbe(name: "entityId", values: [])]
            + values.sorted { $0.key < $1.key }.map { AttributeProbe(name: $0.key, values: $0.value) }
    }

    /// Returns texts that are equal to a constant, beside it, and of other forms.
    fileprivate static func variants(of text: String) -> [FlagValue] {
        var texts = [text, text + "x", "x" + text, "", " ", "true", "false", "1.5"]
        if let number = Int32(text) {
            texts += [Int(number) - 1, Int(number) + 1].map { $0.description } + ["+\(text)", "\(text).0"]
        }
        if text.utf8.count >= 20, text.hasSuffix("Z") {
            texts += [".5Z", "+00:01", "-00:01"].map { text.dropLast() + $0 }
        }
        return texts.map { .string($0) }
    }

    func answer(_ flag: String, _ attributes: [String: FlagValue], now: Int64) -> SourceAnswer {
        guard let definition = flags[flag] else { return .none }
        let context = attributes.compactMapValues { value -> String? in
            switch value {
            case .string(let text): text
            case .number(let number): number.text
            case .bool(let isOn): isOn ? "true" : "false"
            default: nil
            }
        }
        let unit = context["entityId"] ?? ""
        if Self.text(definition["type"]).hasPrefix("BOOLEAN") { return .value(.bool(isOn(definition, context, unit))) }
        let variants = Self.objects(definition["variants"])
        var chosen = variants.first { $0["default"] == true }.map { Self.text($0["key"]) }
        if definition["enabled"] == true,
            let rule = Self.objects(definition["rules"]).first(where: { matches($0, context, unit) })
        {
            chosen = variant(of: rule, flag, unit) ?? chosen
        }
        guard let chosen, let variant = variants.first(where: { Self.text($0["key"]) == chosen }) else { return .none }
        let haveAttachments = variants.contains { $0["attachment"].map { $0 != nil } ?? false }
        guard haveAttachments else { return .value(.string(chosen)) }
        return .value(Self.object(variant["attachment"]).map { .object($0) } ?? .object(FlagObject()))
    }

    private func variant(of rule: FlagObject, _ flag: String, _ unit: String) -> String? {
        let shares = Self.objects(rule["distributions"]).filter { Self.number($0["rollout"]) > 0 }
        let total = shares.reduce(Float(0)) { $0 + Self.number($1["rollout"]) }
        let bucket = Float(Checksums.crc32(Array((flag + unit).utf8)) % 1000)
        var end: Float = 0
        for share in shares.dropLast() {
            end += Self.number(share["rollout"]) / total * 100
            if bucket < (end * 10).rounded(.toNearestOrAwayFromZero) { return Self.text(share["variant"]) }
        }
        return shares.last.map { Self.text($0["variant"]) }
    }

    private func isOn(_ flag: FlagObject, _ context: [String: String], _ unit: String) -> Bool {
        let bucket = Checksums.crc32(Array((unit + Self.text(flag["key"])).utf8)) % 100
        for rollout in Self.objects(flag["rollouts"]) {
            if let threshold = Self.object(rollout["threshold"]) {
                if Float(bucket) < Self.number(threshold["percentage"]) { return threshold["value"] == true }
            } else if matches(rollout, context, unit) {
                return Self.object(rollout["segment"])?["value"] == true
            }
        }
        return flag["enabled"] == true
    }

    private func matches(_ rule: FlagObject, _ context: [String: String], _ unit: String) -> Bool {
        var keys: [String] = []
        var needsAll = false
        switch rule["segment"] {
        case .string(let key)?: keys = [key]
        case .object(let segment)?:
            if case .array(let elements)? = segment["keys"] { keys = elements.map { Self.text($0) } }
            if case .string(let key)? = segment["key"], keys.isEmpty { keys = [key] }
            needsAll = Self.text(segment["operator"]).hasPrefix("AND")
        default: break
        }
        let results = keys.map { key -> Bool in
            guard let segment = segments[key] else { return false }
            if segment.constraints.isEmpty { return true }
            return segment.isAny
                ? segment.constraints.contains { $0.matches(context, unit) }
                : segment.constraints.allSatisfy { $0.matches(context, unit) }
        }
        return needsAll ? results.allSatisfy { $0 } : results.contains(true)
    }

    fileprivate static func text(_ value: FlagValue?) -> String {
        switch value {
        case .string(let text)?: text
        case .number(let number)?: number.text
        default: ""
        }
    }

    fileprivate static func number(_ value: FlagValue?) -> Float {
        if case .number(let number)? = value { Float(number.double) } else { 0 }
    }

    fileprivate static func object(_ value: FlagValue?) -> FlagObject? {
        if case .object(let object)? = value { object } else { nil }
    }

    fileprivate static func objects(_ value: FlagValue?) -> [FlagObject] {
        guard case .array(let elements)? = value else { return [] }
        return elements.compactMap { object($0) }
    }
}

extension FliptReference.Constraint {
    fileprivate init(_ object: FlagObject) {
        type = FliptReference.text(object["type"])
        property = FliptReference.text(object["property"])
        operation = FliptReference.text(object["operator"]).lowercased()
        value = FliptReference.text(object["value"])
        if value.hasPrefix("["), case .array(let elements)? = try? FlagValue(json: value) {
            list = Set(elements.map { FliptReference.text($0) })
        } else {
            list = []
        }
    }

    fileprivate func matches(_ context: [String: String], _ unit: String) -> Bool {
        let mine = type.hasPrefix("ENTITY") ? unit : context[property] ?? ""
        switch operation {
        case "empty", "notpresent": return mine.isEmpty
        case "notempty", "present": return !mine.isEmpty
        default: break
        }
        if mine.isEmpty { return false }
        switch type.prefix(4) {
        case "NUMB":
            guard let number = Int32(mine) else { return false }
            if operation == "isoneof" { return list.contains(number.description) }
            if operation == "isnotoneof" { return !list.contains(number.description) }
            return Int32(value).map { ordered(Int64(number), Int64($0)) } ?? false
        case "BOOL": return mine == operation
        case "DATE":
            guard let time = Instant(.string(mine), isLenient: false),
                let other = Instant(.string(value), isLenient: false)
            else { return false }
            return ordered(Self.seconds(time), Self.seconds(other))
        default: break
        }
        let (bytes, part) = (Array(mine.utf8), Array(value.utf8))
        switch operation {
        case "eq": return bytes == part
        case "neq": return bytes != part
        case "prefix": return bytes.starts(with: part)
        case "suffix": return bytes.reversed().starts(with: part.reversed())
        case "contains": return bytes.indices.contains { bytes[$0...].starts(with: part) }
        case "notcontains": return !bytes.indices.contains { bytes[$0...].starts(with: part) }
        case "isoneof": return list.contains(mine)
        case "isnotoneof": return !list.contains(mine)
        default: return false
        }
    }

    fileprivate static func seconds(_ instant: Instant) -> Int64 {
        Int64((Double(instant.milliseconds) / 1000).rounded(.down))
    }

    private func ordered(_ left: Int64, _ right: Int64) -> Bool {
        switch operation {
        case "eq": left == right
        case "neq": left != right
        case "lt": left < right
        case "lte": left <= right
        case "gt": left > right
        case "gte": left >= right
        default: false
        }
    }
}
