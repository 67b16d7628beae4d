internal import AlmanacJSON

/// A `fractional` rule: callers lie on a line, each where a hash puts them, and buckets cover it one after the other.
///
/// Its changes move nobody between two buckets but those that they take from one variant and give to another.
struct FlagSplit: Sendable {
    /// What it goes by; nil stands for the flag's and the caller's keys.
    let key: JSONValue?
    private(set) var buckets: [Bucket]

    struct Bucket: Sendable, Equatable {
        /// As the rule writes it: null stands for the flag's default.
        let variant: JSONValue
        var weight: Int
    }

    /// The largest sum of weights that flagd takes.
    private static let largestTotal = Int(Int32.max)

    init(key: JSONValue? = nil, _ buckets: [Bucket]) {
        self.key = key
        self.buckets = buckets
    }

    /// - Parameter arguments: those of `fractional`.
    init(_ arguments: [JSONValue]) throws(FlagRamp.Refusal) {
        var rest = arguments[...]
        if let first = rest.first, first.arrayValue == nil { key = rest.popFirst() } else { key = nil }
        buckets = []
        for (index, argument) in rest.enumerated() {
            guard let parts = argument.arrayValue, (1...2).contains(parts.count) else {
                throw FlagRamp.Refusal("bucket \(index + 1) of its split is no variant with a weight")
            }
            guard parts[0].isPlainVariant else {
                throw FlagRamp.Refusal("bucket \(index + 1) of its split picks its variant by a rule")
            }
            let weight = parts.count == 1 ? 1 : parts[1].numberValue.flatMap { Double($0.text) }
            guard let weight, weight >= 0, weight <= Double(Self.largestTotal), weight == weight.rounded() else {
                throw FlagRamp.Refusal("bucket \(index + 1) of its split has a weight that is no integer from 0 on")
            }
            buckets.append(Bucket(variant: parts[0], weight: Int(weight)))
        }
        guard (1...Self.largestTotal).contains(total) else {
            throw FlagRamp.Refusal("the weights of its split add up to \(total)")
        }
    }

    var total: Int { buckets.reduce(0) { $0 + $1.weight } }

    /// The rule: weights that add up to 100 where they can.
    var rule: JSONValue {
        let divisor = max(1, buckets.reduce(0) { Self.divisor($0, $1.weight) })
        let least = total / divisor
        let factor = [100, 1000, 10_000, 100_000].first { $0.isMultiple(of: least) }.map { $0 / least } ?? 1
        let arguments = buckets.map {
            JSONValue.array([$0.variant, .number(JSONNumber($0.weight / divisor * factor))])
        }
        return ["fractional": .array((key.map { [$0] } ?? []) + arguments)]
    }

    /// The same split with a variant for so many callers.
    ///
    /// What it gains, the others lose in proportion to what they have, and the other way round.
    ///
    /// - Parameter isMine: whether a bucket is the variant's.
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
                throw FlagRamp.Refusal("its split has no other variant for those who lose this one")
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

    /// The same split with the front of the line given to a variant.
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

    /// The same split in weights of which whole ones are thousandths of a percent.
    private func refined() throws(FlagRamp.Refusal) -> FlagSplit {
        let unit = total / Self.divisor(total, FlagPercent.whole) * FlagPercent.whole
        guard unit <= Self.largestTotal else {
            throw FlagRamp.Refusal("the weights of its split add up to \(total), which can't be divided into percents")
        }
        return FlagSplit(
            key: key, buckets.map { Bucket(variant: $0.variant, weight: $0.weight * (unit / total)) })
    }

    /// An amount in parts as large as weights are to each other; none is larger than its weight.
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

    /// The greatest common divisor.
    private static func divisor(_ left: Int, _ right: Int) -> Int {
        right == 0 ? left : divisor(right, left % right)
    }
}
