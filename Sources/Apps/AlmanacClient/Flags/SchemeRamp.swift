internal import AlmanacJSON
internal import AlmanacTargeting

/// A rule that divides callers into two parts by the hash of another flag system: an `almanac.split` with one or two
/// ranges, or an `almanac.ramp` with a scheme.
struct SchemeRamp: Sendable {
    let parameters: JSONValue
    let unit: JSONValue
    private let buckets: SchemeBuckets
    /// The share of the first part.
    let share: FlagPercent
    /// The results of both parts.
    let first: JSONValue
    let rest: JSONValue
    let isRunning: Bool

    /// Reads the arguments of `almanac.split`.
    init(split arguments: [JSONValue]) throws(FlagRamp.Refusal) {
        guard arguments.count == 3, let ranges = arguments[2].arrayValue?.map({ $0.arrayValue ?? [] }),
            let buckets = Self.buckets(arguments[0])
        else { throw FlagRamp.Refusal("its split is not valid") }
        func bound(_ value: JSONValue) -> Int64? { value.numberValue?.int64 }
        guard (1...2).contains(ranges.count), ranges.allSatisfy({ $0.count == 3 && $0[2].isPlainVariant }),
            bound(ranges[0][0]) == buckets.start, let middle = bound(ranges[0][1]),
            ranges.count == 1 || (bound(ranges[1][0]) == middle && bound(ranges[1][1]) == buckets.end)
        else {
            throw FlagRamp.Refusal(
                "its split by the scheme of another system is not two ranges of all buckets; change the rule with "
                    + "'almanac flags set'")
        }
        (parameters, unit, self.buckets) = (arguments[0], arguments[1], buckets)
        share = FlagPercent(thousandths: buckets.thousandths(forBound: middle))
        (first, rest) = (ranges[0][2], ranges.count == 2 ? ranges[1][2] : .null)
        isRunning = false
    }

    /// Reads the arguments of `almanac.ramp` with a scheme.
    ///
    /// - Parameter share: returns the present share of points; nil if they are invalid.
    init(ramp arguments: [JSONValue], _ share: (JSONValue) -> FlagPercent?) throws(FlagRamp.Refusal) {
        guard (4...5).contains(arguments.count), let buckets = Self.buckets(arguments[0]),
            let share = share(arguments[2]), arguments[3...].allSatisfy({ $0.isPlainVariant })
        else { throw FlagRamp.Refusal("its ramp is not valid; expected a scheme, a unit, points in time and variants") }
        (parameters, unit, self.buckets, self.share) = (arguments[0], arguments[1], buckets, share)
        (first, rest) = (arguments[3], arguments.count == 5 ? arguments[4] : .null)
        isRunning = true
    }

    private static func buckets(_ parameters: JSONValue) -> SchemeBuckets? {
        (try? FlagValue(json: parameters.description)).flatMap { SchemeBuckets(parameters: $0) }
    }

    /// Returns the rule that gives the first part this share.
    func split(at share: FlagPercent) -> JSONValue {
        func number(_ bound: Int64) -> JSONValue { .number(JSONNumber(bound)) }
        let middle = number(buckets.bound(forThousandths: share.thousandths))
        let ranges: [JSONValue] = [[number(buckets.start), middle, first], [middle, number(buckets.end), rest]]
        return ["almanac.split": [parameters, unit, .array(rest == .null ? [ranges[0]] : ranges)]]
    }

    /// Returns the rule whose first part has the share of these points.
    func ramp(_ points: JSONValue) -> JSONValue { ["almanac.ramp": [parameters, unit, points, first, rest]] }
}
