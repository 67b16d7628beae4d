internal import AlmanacTargeting

/// A hash of GrowthBook, and the ranges of its buckets. A number from 0 to 1 lies in a bucket as GrowthBook's own
/// arithmetic of doubles decides.
struct GrowthBookSplit {
    /// The number of buckets.
    let count: Int64
    private let scheme: FlagValue
    private let unit: FlagValue

    typealias Range = (from: Int64, to: Int64)

    private static let weightSums = 0.99...1.01

    init(seed: String, version: Int, unit: FlagValue, at node: SourceNode) throws(Obstacle) {
        guard (1...2).contains(version) else { throw node.obstacle("the hash version \(version) is unknown") }
        count = version == 1 ? 1000 : 10_000
        scheme = Logic.object([
            FlagObject.Member("scheme", "growthbook"), FlagObject.Member("seed", .string(seed)),
            FlagObject.Member("hashVersion", .number(FlagNumber(Int64(version)))),
        ])
        self.unit = unit
    }

    /// Returns a split that yields the result of the first range with the caller's bucket, or null.
    func rule(_ ranges: [(range: Range, result: FlagValue)]) -> FlagValue {
        let ranges = ranges.filter { $0.range.from < $0.range.to }.map { range, result -> FlagValue in
            [.number(FlagNumber(range.from)), .number(FlagNumber(range.to)), result]
        }
        return Logic.operation("almanac.split", [scheme, unit, .array(FlagArray(ranges))])
    }

    func range(_ node: SourceNode) throws(Obstacle) -> Range {
        guard let ends = node.elements, ends.count == 2 else { throw node.obstacle("expected a range of two numbers") }
        return try range(ends[0], ends[1])
    }

    func range(_ from: SourceNode, _ to: SourceNode) throws(Obstacle) -> Range {
        guard let start = from.number?.double, let end = to.number?.double else {
            throw from.obstacle("expected a range of two numbers")
        }
        return range(start, end)
    }

    private func range(_ from: Double, _ to: Double) -> Range { (firstBucket { $0 >= from }, firstBucket { $0 >= to }) }

    /// Returns the bucket behind those that a rollout includes.
    func end(ofCoverage coverage: Double) -> Int64 { firstBucket { $0 > coverage } }

    /// Returns the ranges of the variations of an experiment.
    func ranges(of rule: SourceNode, count: Int) throws(Obstacle) -> [Range] {
        if let ranges = rule["ranges"], ranges.elements?.isEmpty != true {
            return try rule.list("ranges").map { (node) throws(Obstacle) in try range(node) }
        }
        var weights = try rule.list("weights").compactMap { $0.number?.double }
        guard try weights.count == rule.list("weights").count, weights.allSatisfy({ $0 >= 0 }) else {
            throw rule.obstacle("the weights must be numbers from 0")
        }
        if weights.count != count || !Self.weightSums.contains(weights.reduce(0, +)) {
            weights = [Double](repeating: 1 / Double(count), count: count)
        }
        guard rule["coverage"] == nil || rule["coverage"]?.number != nil else {
            throw rule.obstacle("the coverage must be a number")
        }
        let coverage = min(1, max(0, rule["coverage"]?.number?.double ?? 1))
        var cumulative = 0.0
        return weights.map { weight in
            let start = cumulative
            cumulative += weight
            return range(start, start + coverage * weight)
        }
    }

    /// Returns the first bucket whose number from 0 to 1 fulfils a condition that holds for all behind it.
    private func firstBucket(where isBehind: (Double) -> Bool) -> Int64 {
        var (low, high): (Int64, Int64) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(Double(middle) / Double(count)) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
