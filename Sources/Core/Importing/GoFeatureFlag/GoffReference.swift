internal import AlmanacTargeting

/// GO Feature Flag's evaluation of its files, as its evaluation library does it (modules/core/flag).
struct GoffReference: SourceReference {
    let probes: [AttributeProbe]
    private let flags: [String: Evaluation]

    init(_ flags: [(key: String, value: FlagValue)], attributes: [String]) {
        var texts: Set<String> = []
        for flag in flags { Self.addQueries(of: flag.value, to: &texts) }
        var (queries, constants): ([String: GoffQueryReference], [String: [FlagValue]]) = ([:], [:])
        for text in texts.sorted() {
            let query = GoffQueryReference(text)
            for (name, values) in query.constants { constants[name, default: []] += values }
            queries[text] = query
        }
        var evaluations: [String: Evaluation] = [:]
        for case (let key, .object(let definition)) in flags {
            evaluations[key] = Evaluation(flag: key, definition: definition, queries: queries)
        }
        self.flags = evaluations
        probes = attributes.sorted().map { name in
            AttributeProbe(
                name: name, values: name == "targetingKey" ? [] : Self.variants(of: constants[name] ?? [""]))
        }
    }

    /// Adds the queries of a value and of the values inside it.
    private static func addQueries(of value: FlagValue, to texts: inout Set<String>) {
        switch value {
        case .array(let elements): for element in elements { addQueries(of: element, to: &texts) }
        case .object(let object):
            for member in object.members {
                if case .string(let text) = member.value, member.name == "query" { texts.insert(text) }
                addQueries(of: member.value, to: &texts)
            }
        default: break
        }
    }

    /// Returns constants with values beside them and of other types.
    private static func variants(of constants: [FlagValue]) -> [FlagValue] {
        var values: [FlagValue] = [nil, true, 0, ""]
        for constant in constants.prefix(40) {
            switch constant {
            case .string(let text):
                values += [constant, .string(text.uppercased()), .string("x" + text + "y"), .string(text + "z")]
                values += [[.string(text)], .string("a" + text)]
                if let number = Double(text), number.isFinite { values.append(.number(FlagNumber(number))) }
            case .number(let number):
                let double = number.double
                values += [constant, .string(number.text)]
                values += [double - 1, double - 0.5, double + 0.5, double + 1].map { .number(FlagNumber($0)) }
            default: values.append(constant)
            }
        }
        return values
    }

    func answer(_ flag: String, _ attributes: [String: FlagValue], now: Int64) -> SourceAnswer {
        guard var evaluation = flags[flag] else { return .none }
        evaluation.applySchedule(until: now)
        return evaluation.answer(attributes, now: now)
    }
}

extension GoffReference {
    /// A flag whose schedule is applied until a time.
    private struct Evaluation {
        let flag: String
        let bucketingKey: String?
        let queries: [String: GoffQueryReference]
        private var rules: [FlagObject]
        private var defaultRule: FlagObject?
        private var isDisabled = false
        private var experiment: (start: GoffTime?, end: GoffTime?) = (nil, nil)
        private var variations: [String: FlagValue] = [:]
        /// The steps of the schedule by their times.
        private let steps: [(time: GoffTime, fields: FlagObject)]
        private let stepsNeedBucket: Bool

        init(flag: String, definition: FlagObject, queries: [String: GoffQueryReference]) {
            (self.flag, self.queries) = (flag, queries)
            bucketingKey = Self.text(definition["bucketingKey"])
            rules = Self.objects(definition["targeting"])
            defaultRule = Self.object(definition["defaultRule"])
            let steps = Self.objects(definition["scheduledRollout"])
            self.steps = steps.compactMap { step in Self.time(step["date"]).map { ($0, step) } }
                .enumerated().sorted {
                    ($0.element.0.milliseconds, $0.offset) < ($1.element.0.milliseconds, $1.offset)
                }.map { $0.element }
            stepsNeedBucket = steps.contains { Self.objects($0["targeting"]).contains { Self.isSplit($0) } }
            apply(definition)
        }

        func answer(_ attributes: [String: FlagValue], now: Int64) -> SourceAnswer {
            let needsBucket =
                stepsNeedBucket || rules.contains { Self.isSplit($0) } || defaultRule.map { Self.isSplit($0) } ?? false
            guard let unit = unit(attributes), !(needsBucket && unit.isEmpty), !isDisabled else { return .none }
            if let start = experiment.start, now * 1000 < start.milliseconds { return .none }
            if let end = experiment.end, now * 1000 > end.milliseconds { return .none }
            for rule in rules where rule["disable"] != true {
                let query = Self.text(rule["query"]).flatMap { queries[$0] }
                if query?.matches(attributes) ?? true { return value(of: rule, unit, now) }
            }
            return defaultRule.map { value(of: $0, unit, now) } ?? .none
        }

        /// Takes over the parts that a flag and a step of its schedule have in common, apart from rules.
        private mutating func apply(_ fields: FlagObject) {
            if case .bool(let isOn)? = fields["disable"] { isDisabled = isOn }
            for member in Self.object(fields["variations"])?.members ?? [] { variations[member.name] = member.value }
            let times = Self.object(fields["experimentation"])
            if let start = Self.time(times?["start"]) { experiment.start = start }
            if let end = Self.time(times?["end"]) { experiment.end = end }
        }

        mutating func applySchedule(until now: Int64) {
            for step in steps where step.time.milliseconds <= now * 1000 {
                let updates = Self.objects(step.fields["targeting"])
                var merged: Set<String> = []
                for index in rules.indices {
                    guard let name = Self.text(rules[index]["name"]), !name.isEmpty,
                        let update = updates.last(where: { Self.text($0["name"]) == name })
                    else { continue }
                    rules[index] = Self.merged(rules[index], update)
                    merged.insert(name)
                }
                rules += updates.filter { !merged.contains(Self.text($0["name"]) ?? "") }
                if let update = Self.object(step.fields["defaultRule"]) {
                    defaultRule = defaultRule.map { Self.merged($0, update) }
                }
                apply(step.fields)
            }
        }

        /// Returns the bucketing key, or nil where it is an error that it is missing.
        private func unit(_ attributes: [String: FlagValue]) -> String? {
            if let name = bucketingKey, !name.isEmpty { return Self.text(attributes[name]) }
            return Self.text(attributes["targetingKey"]) ?? ""
        }

        private func value(of rule: FlagObject, _ unit: String, _ now: Int64) -> SourceAnswer {
            let shares = Self.object(rule["percentage"])?.members ?? []
            var name = Self.text(rule["variation"])
            if let ramp = Self.object(rule["progressiveRollout"]) {
                name = rampVariation(ramp, unit, now)
            } else if !shares.isEmpty {
                let percentages = shares.map { (name: $0.name, share: Self.number($0.value) ?? 0) }
                let sum = percentages.reduce(0.0) { $0 + $1.share } * 1000
                guard sum >= 1, sum < 0x1p32, percentages.allSatisfy({ $0.share >= 0 }) else { return .none }
                let total = UInt32(sum)
                let hash = Checksums.fnv1a((flag + unit).utf8) % total
                var end = 0.0
                name = nil
                let ordered = percentages.sorted { $1.name.utf8.lexicographicallyPrecedes($0.name.utf8) }
                for (other, share) in ordered {
                    let start = end
                    end += share * 1000
                    if name == nil, UInt32(start) <= hash, UInt32(end) > hash { name = other }
                }
            }
            return name.flatMap { variations[$0] }.map { .value($0) } ?? .none
        }

        private func rampVariation(_ ramp: FlagObject, _ unit: String, _ now: Int64) -> String? {
            guard let initial = Self.object(ramp["initial"]), let end = Self.object(ramp["end"]),
                let start = Self.time(initial["date"]), let finish = Self.time(end["date"]),
                finish.seconds > start.seconds
            else { return nil }
            let hash = Checksums.fnv1a((flag + unit).utf8) % 100_000
            let before = Self.text(initial["variation"])
            if now * 1000 < start.milliseconds { return before }
            let low = (Self.number(initial["percentage"]) ?? 0) * 1000
            var top = Self.number(end["percentage"]) ?? 0
            if top == 0 || top > 100 { top = 100 }
            let perSecond = (top * 1000 - low) / Double(finish.seconds - start.seconds)
            let current = now * 1000 < finish.milliseconds ? Double(now - start.seconds) * perSecond + low : top * 1000
            return Double(hash) < current.rounded(.down) ? Self.text(end["variation"]) : before
        }

        private static func isSplit(_ rule: FlagObject) -> Bool {
            if case .object(let shares)? = rule["percentage"], !shares.members.isEmpty { return true }
            return object(rule["progressiveRollout"]) != nil
        }

        /// Returns a rule with the fields of an update. Objects are merged, and a negative share removes one.
        private static func merged(_ rule: FlagObject, _ update: FlagObject) -> FlagObject {
            var fields = Dictionary(rule.members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
            for member in update.members where member.value != nil {
                if case .object(let change) = member.value, case .object(let old)? = fields[member.name] {
                    let shares = merged(old, change).members.filter { (number($0.value) ?? 0) >= 0 }
                    fields[member.name] = .object(FlagObject(shares) ?? change)
                } else {
                    fields[member.name] = member.value
                }
            }
            return FlagObject(fields.map { FlagObject.Member($0.key, $0.value) }) ?? rule
        }

        private static func text(_ value: FlagValue?) -> String? {
            if case .string(let text)? = value { text } else { nil }
        }

        private static func number(_ value: FlagValue?) -> Double? {
            if case .number(let number)? = value { number.double } else { nil }
        }

        private static func object(_ value: FlagValue?) -> FlagObject? {
            if case .object(let object)? = value { object } else { nil }
        }

        private static func objects(_ value: FlagValue?) -> [FlagObject] {
            guard case .array(let elements)? = value else { return [] }
            return elements.compactMap { object($0) }
        }

        private static func time(_ value: FlagValue?) -> GoffTime? { text(value).flatMap { GoffTime($0) } }
    }
}
