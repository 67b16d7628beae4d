internal import AlmanacJSON

/// A `fractional` rule. A hash gives each caller a position on a line, and consecutive buckets cover the line.
///
/// A change of the split moves only the callers that it takes from one variant and gives to another.
struct FlagSplit: Sendable {
    /// The attribute that is hashed; nil for the flag's key and the targeting key.
    let key: JSONValue?
    private(set) var buckets: [Bucket]

    struct Bucket: Sendable, Equatable {
        /// The variant in the rule's notation; null is the flag's default.
        let variant: JSONValue
        var weight: Int
    }

    /// The largest sum of weights that flagd accepts.
    private static let maxTotalWeight = Int(Int32.max)

    init(key: JSONValue? = nil, _ buckets: [Bucket]) {
        self.key = key
        self.buckets = buckets
    }

    /// - Parameter arguments: the arguments of `fractional`.
    init(_ arguments: [JSONValue]) throws(FlagRamp.Refusal) {
        var rest = arguments[...]
        if let first = rest.first, first.arrayValue == nil { key = rest.popFirst() } else { key = nil }
        buckets = []
        for (index, argument) in rest.enumerated() {
            guard let parts = argument.arrayValue, (1...2).contains(parts.count) else {
                throw FlagRamp.Refusal("bucket \(index + 1) of its split is not a variant with a weight")
            }
            guard parts[0].isPlainVariant else {
                throw FlagRamp.Refusal("bucket \(index + 1) of its split selects its variant by a rule")
            }
            let weight = parts.count == 1 ? 1 : parts[1].numberValue.flatMap { Double($0.text) }
            guard let weight, weight >= 0, weight <= Double(Self.maxTotalWeight), weight == weight.rounded() else {
                throw FlagRamp.Refusal(
                    "bucket \(index + 1) of its split has a weight that is not a whole number of at least 0")
            }
            buckets.append(Bucket(variant: parts[0], weight: Int(weight)))
        }
        guard (1...Self.maxTotalWeight).contains(total) else {
            throw FlagRamp.Refusal("the weights of its split add up to \(total)")
        }
    }

    var total: Int { buckets.reduce(0) { $0 + $1.weight } }

    /// The rule, with weights that add up to 100 if possible.
    var rule: JSONValue {
        let divisor = max(1, buckets.reduce(0) { Self.divisor($0, $1.weight) })
        let least = total / divisor
        let factor = [100, 1000, 10_000, 100_000].first { $0.isMultiple(of: least) }.map { $0 / least } ?? 1
        let arguments = buckets.map {
            JSONValue.array([$0.variant, .number(JSONNumber($0.weight / divisor * factor))])
        }
        return ["fractional": .array((key.map { [$0] } ?? []) + arguments)]
    }

    /// Returns the split with a share of callers for a variant.
    ///
    /// A gain is taken from the other variants in proportion; a loss is given to the neighbouring buckets.
    ///
    /// - Parameter isMine: returns true for a bucket of the variant.
    func giving(
        _ variant: JSONValue, _ percent: FlagPercent, isMine: (JSONValue) -> Bool
    ) throws(FlagRamp.Refusal) -> FlagSplit {
        let fine = try refined().buckets
        let unit = fine.reduce(0) { $0 + $1.weight }
        let wanted = percent.thousandths * (unit / FlagPercent.whole)
        let mine = fine.filter { isMine($0.variant) }.reduce(0) { $0 + $1.weight }
        var line: [Bucket] = []
        var endsWithMine: Bool { line.last.map { isMine($0.variant) } ?? false }
        if wanted >= mine {
            let parts = Self.parts(of: wanted - mine, among: fine.map { isMine($0.variant) ? 0 : $0.weight })
            for (index, bucket) in fine.enumerated() {
                let takesEnd = index + 1 < fine.count && isMine(fine[index + 1].variant) && !endsWithMine
                let part = Bucket(variant: variant, weight: parts[index])
                let rest = Bucket(variant: bucket.variant, weight: bucket.weight - parts[index])
                for next in takesEnd ? [rest, part] : [part, rest] {
                    if endsWithMine, isMine(next.variant) {
                        line[line.count - 1].weight += next.weight
                    } else if next.weight > 0 || !isMine(next.variant) {
                        line.append(next)
                    }
                }
            }
        } else {
            let parts = Self.parts(of: mine - wanted, among: fine.map { isMine($0.variant) ? $0.weight : 0 })
            guard fine.contains(where: { !isMine($0.variant) }) else {
                throw FlagRamp.Refusal("its split has no other variant for callers who lose this variant")
            }
            var fine = fine
            for (index, part) in parts.enumerated() where part > 0 {
                fine[index].weight -= part
                let next = fine[index...].firstIndex { !isMine($0.variant) }
                if let neighbour = next ?? fine[..<index].lastIndex(where: { !isMine($0.variant) }) {
                    fine[neighbour].weight += part
                }
            }
            line = fine
        }
        return FlagSplit(key: key, line)
    }

    /// Returns the split with the front of the line given to a variant.
    func covered(by variant: JSONValue, _ percent: FlagPercent) throws(FlagRamp.Refusal) -> FlagSplit {
        let fine = try refined()
        var left = percent.thousandths * (fine.total / FlagPercent.whole)
        var line = [Bucket(variant: variant, weight: left)]
        for bucket in fine.buckets {
            let hidden = min(left, bucket.weight)
            left -= hidden
            line.append(Bucket(variant: bucket.variant, weight: bucket.weight - hidden))
        }
        return FlagSplit(key: key, line)
    }

    /// Returns the same split with weights in which a thousandth of a percent is an integer.
    private func refined() throws(FlagRamp.Refusal) -> FlagSplit {
        let unit = total / Self.divisor(total, FlagPercent.whole) * FlagPercent.whole
        guard unit <= Self.maxTotalWeight else {
            throw FlagRamp.Refusal(
                "the weights of its split add up to \(total), which does not divide evenly into percentages")
        }
        return FlagSplit(key: key, buckets.map { Bucket(variant: $0.variant, weight: $0.weight * (unit / total)) })
    }

    /// Splits an amount in proportion to weights, so that no part exceeds its weight.
    private static func parts(of amount: Int, among weights: [Int]) -> [Int] {
        var (left, rest) = (amount, weights.reduce(0, +))
        return weights.map { weight in
            guard rest > 0 else { return 0 }
            let part = left * weight / rest
            left -= part
            rest -= weight
            return part
        }
    }

    private static func divisor(_ left: Int, _ right: Int) -> Int { right == 0 ? left : divisor(right, left % right) }
}
