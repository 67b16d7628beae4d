internal import AlmanacTargeting

/// A rule of a GO Feature Flag, which a step of a schedule may change.
struct GoffRule {
    var name = ""
    var query = ""
    private var variation: String?
    private var percentages: [String: Double]?
    private var ramp: GoffRamp?
    var isDisabled = false
    /// The place below the flag, as a JSON pointer.
    private let node: SourceNode
    /// The place in the file, as a JSON pointer.
    var pointer: String { node.pointer }

    init(_ node: SourceNode) throws(Obstacle) {
        self.node = node
        try node.allowOnly(["name", "query", "variation", "percentage", "progressiveRollout", "disable"])
        name = try node.text("name") ?? ""
        query = try node.text("query") ?? ""
        variation = try node.text("variation")
        isDisabled = try node.bool("disable")
        if let ramp = node["progressiveRollout"] { self.ramp = try GoffRamp(ramp) }
        guard let shares = node["percentage"] else { return }
        guard let members = shares.members else { throw shares.obstacle("\"percentage\" must be an object") }
        var percentages: [String: Double] = [:]
        for (name, share) in members {
            guard let number = share.number else { throw share.obstacle("a percentage must be a number") }
            percentages[name] = number.double
        }
        self.percentages = percentages
    }

    /// True if the rule places the unit in a bucket.
    var needsBucket: Bool { ramp != nil || percentages?.isEmpty == false }

    /// Changes the fields that a rule of a step has.
    mutating func merge(_ step: GoffRule) {
        if step.node["disable"] != nil { isDisabled = step.isDisabled }
        if step.node["query"] != nil { query = step.query }
        variation = step.variation ?? variation
        if let change = step.ramp { ramp = ramp?.merged(with: change) ?? change }
        guard let changes = step.percentages else { return }
        var merged = percentages ?? [:]
        // A negative percentage removes a variation.
        for (name, percentage) in changes { merged[name] = percentage < 0 ? Optional.none : percentage }
        percentages = merged
    }

    /// The variation or the split that the rule selects.
    struct Result {
        let value: FlagValue
        /// True if some units get no variation.
        var hasGap = false
        var isVariation = false
    }

    /// Returns what the rule selects.
    ///
    /// - Parameters:
    ///   - flag: The flag's key in the file, which is hashed.
    ///   - unit: The rule that yields the unit.
    ///   - note: Receives a clause about a difference.
    func result(
        flag: String, unit: FlagValue, variations: Set<String>, note: (String) -> Void
    ) throws(Obstacle) -> Result {
        if let ramp { return Result(value: try ramp.rule(flag, unit, variations, note)) }
        if let percentages, !percentages.isEmpty { return try split(percentages, flag, unit, variations) }
        guard let variation else { throw node.obstacle("the rule selects nothing") }
        guard variations.contains(variation) else { throw node.obstacle("there is no variation \"\(variation)\"") }
        return Result(value: .string(variation), isVariation: true)
    }

    private func split(
        _ percentages: [String: Double], _ flag: String, _ unit: FlagValue, _ variations: Set<String>
    ) throws(Obstacle) -> Result {
        // Go compares names by their bytes, and the last name has the first buckets.
        let shares = percentages.sorted { $1.key.utf8.lexicographicallyPrecedes($0.key.utf8) }
        for share in shares where !variations.contains(share.key) {
            throw node.obstacle("there is no variation \"\(share.key)\"")
        }
        guard shares.allSatisfy({ $0.value >= 0 && $0.value <= 1_000_000 }) else {
            throw node.obstacle("a percentage is negative or too large")
        }
        guard let total = Self.total(shares.map { $0.value }) else {
            throw node.obstacle("the sum of the percentages depends on their order, which changes at random")
        }
        guard total > 0 else { throw node.obstacle("the percentages are 0") }
        var (end, ranges): (Double, [FlagValue]) = (0, [])
        for share in shares {
            let (from, to) = (Int64(end), min(Int64(end + share.value * 1000), total))
            end += share.value * 1000
            if from < to { ranges.append([.number(FlagNumber(from)), .number(FlagNumber(to)), .string(share.key)]) }
        }
        let scheme = GoffRamp.scheme(flag, total)
        return Result(
            value: Logic.operation("almanac.split", [scheme, unit, .array(FlagArray(ranges))]),
            hasGap: Int64(end) < total)
    }

    /// Returns the number of buckets, or nil if it depends on the order in which Go adds the percentages.
    private static func total(_ percentages: [Double]) -> Int64? {
        func buckets(_ sum: Double) -> Int64 { Int64(sum * 1000) }
        // Sums of such numbers are exact.
        if percentages.allSatisfy({ $0 * 1024 == ($0 * 1024).rounded() }) {
            return buckets(percentages.reduce(0, +))
        }
        guard percentages.count <= maxOrderedPercentages else { return nil }
        var sums: Set<Int64> = []
        func add(_ rest: [Double], to sum: Double) {
            if rest.isEmpty { sums.insert(buckets(sum)) }
            for index in rest.indices {
                var others = rest
                others.remove(at: index)
                add(others, to: sum + rest[index])
            }
        }
        add(percentages, to: 0)
        return sums.count == 1 ? sums.first : nil
    }

    private static let maxOrderedPercentages = 6
}

/// A progressive rollout: the share of a variation that grows from a time to another.
struct GoffRamp {
    private let node: SourceNode
    private var initial: Step
    private var end: Step

    private struct Step {
        var variation: String?
        var percentage: Double?
        var time: GoffTime?

        init(_ node: SourceNode?) throws(Obstacle) {
            guard let node else { return }
            try node.allowOnly(["variation", "percentage", "date"])
            variation = try node.text("variation")
            time = try node.goffTime("date")
            guard let percentage = node["percentage"] else { return }
            guard let number = percentage.number else { throw percentage.obstacle("a percentage must be a number") }
            self.percentage = number.double
        }

        mutating func merge(_ step: Step) {
            variation = step.variation ?? variation
            percentage = step.percentage ?? percentage
            time = step.time ?? time
        }
    }

    init(_ node: SourceNode) throws(Obstacle) {
        self.node = node
        try node.allowOnly(["initial", "end"])
        initial = try Step(node["initial"])
        end = try Step(node["end"])
    }

    func merged(with step: GoffRamp) -> GoffRamp {
        var merged = self
        merged.initial.merge(step.initial)
        merged.end.merge(step.end)
        return merged
    }

    static func scheme(_ flag: String, _ total: Int64) -> FlagValue {
        Logic.object([
            FlagObject.Member("scheme", "goff"), FlagObject.Member("flagName", .string(flag)),
            FlagObject.Member("maxPercentage", .number(FlagNumber(total))),
        ])
    }

    func rule(
        _ flag: String, _ unit: FlagValue, _ variations: Set<String>, _ note: (String) -> Void
    ) throws(Obstacle) -> FlagValue {
        guard let start = initial.time, let finish = end.time, start.seconds < finish.seconds,
            let before = initial.variation, let after = end.variation, variations.isSuperset(of: [before, after])
        else {
            throw node.obstacle("expected two variations of the flag, and the end after the beginning")
        }
        let (low, high) = ((initial.percentage ?? 0) * 1000, (end.percentage ?? 0) * 1000)
        guard low >= 0, low <= high, low == low.rounded(), high == high.rounded(), low <= 100_000 else {
            throw node.obstacle("expected growing percentages with at most three decimals")
        }
        // GO Feature Flag reads 0, and what is above 100, as 100.
        let top = high == 0 || high > 100_000 ? 100_000 : high
        if Self.differs(from: low, to: top, start, finish) {
            note("a progressive rollout reaches a caller, who may get the new variation a second earlier or later")
        }
        let points: FlagValue = [
            [.string(start.wholeText), .number(FlagNumber(low / 1000))],
            [.string(finish.wholeText), .number(FlagNumber(top / 1000))],
        ]
        let ramp = Logic.operation(
            "almanac.ramp", [Self.scheme(flag, 100_000), unit, points, .string(after), .string(before)])
        guard low > 0 else { return ramp }
        return Logic.first([(start.isNow(">="), ramp)], otherwise: .string(before))
    }

    /// Returns true if rounding makes the share differ in the seconds in which it is a whole number of buckets. It is
    /// the same in all other seconds.
    private static func differs(from low: Double, to high: Double, _ start: GoffTime, _ end: GoffTime) -> Bool {
        let (growth, seconds) = (Int64(high - low), end.seconds - start.seconds)
        guard growth > 0 else { return false }
        var (divisor, rest) = (seconds, growth)
        while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
        let step = seconds / divisor
        let perSecond = (high - low) / Double(seconds)
        // At the end, GO Feature Flag serves the last share without computing it.
        return (0..<(end.milliseconds > end.seconds * 1000 ? divisor + 1 : divisor)).contains { index in
            let elapsed = index * step
            let share = Double(elapsed * 1000) / Double(seconds * 1000)
            return Int64(Double(elapsed) * perSecond + low) != Int64(low) + Int64(Double(growth) * share)
        }
    }
}
