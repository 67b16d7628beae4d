/// A way in which another flag system places units, such as users, in buckets.
///
/// Each scheme hashes what its vendor's clients hash. So a unit keeps its variant when a flag moves to Almanac.
enum SplitScheme: Sendable {
    /// Unleash's rollouts: 100 buckets. The name of the parameter of each scheme is the vendor's.
    case unleash(groupId: String)
    /// Unleash's variants: as many buckets as the sum of the weights.
    case unleashVariants(groupId: String, totalWeight: UInt32)
    /// LaunchDarkly's rollouts in 100,000 buckets. The prefix is `key.salt.` or `seed.`.
    case launchDarkly(prefix: String)
    /// Firebase Remote Config's percentages in 100,000,000 buckets. The prefix is `seed.` or empty.
    case firebase(prefix: String)
    /// Flagsmith's percentages in 9,998 buckets. The key is that of a segment or a feature.
    case flagsmith(key: String)
    /// GrowthBook's rollouts: 1,000 buckets in version 1 and 10,000 in version 2.
    case growthBook(seed: String, isVersion2: Bool)
    /// ConfigCat's percentages in 100 buckets.
    case configCat(key: String)
    /// GO Feature Flag's percentages: as many buckets as the sum of the percentages times 1,000.
    case goFeatureFlag(flagName: String, maxPercentage: UInt32)
    /// Flipt's variants in 1,000 buckets.
    case flipt(flagKey: String)
    /// Flipt's thresholds in 100 buckets.
    case fliptThreshold(flagKey: String)

    /// A failure of the vendor's own evaluation, in which the caller's default applies.
    struct MissingUnit: Error {}

    /// The number of buckets.
    var count: Int64 {
        switch self {
        case .unleash, .configCat, .fliptThreshold: 100
        case .unleashVariants(_, let total), .goFeatureFlag(_, let total): Int64(total)
        case .launchDarkly: 100_000
        case .firebase: 100_000_000
        case .flagsmith: 9998
        case .growthBook(_, let isVersion2): isVersion2 ? 10_000 : 1000
        case .flipt: 1000
        }
    }

    /// True if a range contains its upper bound and not its lower one.
    var includesUpperBounds: Bool {
        switch self {
        case .unleash, .unleashVariants, .firebase: true
        default: false
        }
    }

    /// True if a unit past the end of the last range gets the last range's result.
    var extendsLastRange: Bool { if case .launchDarkly = self { true } else { false } }

    /// Returns the bucket of a unit, or nil if the vendor places no such unit.
    ///
    /// - Parameter unit: The unit, or nil if it is missing.
    func bucket(of unit: String?) throws(MissingUnit) -> Int64? {
        if let unit, !unit.utf8.isEmpty { return Int64(bucket(ofText: unit)) }
        switch self {
        // LaunchDarkly's clients place a missing unit at the start.
        case .launchDarkly where unit == nil: return 0
        case .flipt, .fliptThreshold: return Int64(bucket(ofText: ""))
        case .goFeatureFlag: throw MissingUnit()
        case .firebase, .growthBook: return nil
        default: return unit.map { Int64(bucket(ofText: $0)) }
        }
    }

    private func bucket(ofText unit: String) -> UInt64 {
        switch self {
        case .unleash(let group): UInt64(Self.murmur3(group, unit, seed: 0) % 100) + 1
        case .unleashVariants(let group, let total): UInt64(Self.murmur3(group, unit, seed: 86_028_157) % total) + 1
        case .launchDarkly(let prefix): Self.hundredThousandth(of: Digest.sha1((prefix + unit).bytes.span))
        case .firebase(let prefix): Self.remainder(of: Digest.sha256((prefix + unit).bytes.span), 100_000_000)
        case .flagsmith(let key): Self.flagsmithHash(key + "," + unit)
        case .growthBook(let seed, false): UInt64(Checksums.fnv1a((unit + seed).utf16) % 1000)
        case .growthBook(let seed, true):
            UInt64(Checksums.fnv1a(Checksums.fnv1a((seed + unit).utf16).description.utf16) % 10_000)
        case .configCat(let key): UInt64((Digest.sha1((key + unit).bytes.span)[0] >> 4) % 100)
        case .goFeatureFlag(let name, let total): UInt64(Checksums.fnv1a((name + unit).utf8) % total)
        case .flipt(let key): UInt64(Checksums.crc32((key + unit).utf8) % 1000)
        case .fliptThreshold(let key): UInt64(Checksums.crc32((unit + key).utf8) % 100)
        }
    }

    private static func murmur3(_ group: String, _ unit: String, seed: UInt32) -> UInt32 {
        var murmur = Murmur3(seed: seed)
        murmur.add(group + ":" + unit)
        return murmur.hash
    }

    /// Returns the digest's first 60 bits as a fraction of the largest such number, in hundred thousandths.
    private static func hundredThousandth(of digest: [UInt32]) -> UInt64 {
        let hash = (UInt64(digest[0]) << 32 | UInt64(digest[1])) >> 4
        return (UInt64.max >> 4).dividingFullWidth(hash.multipliedFullWidth(by: 100_000)).quotient
    }

    private static func remainder(of digest: [UInt32], _ modulus: UInt64) -> UInt64 {
        digest.reduce(0) { ($0 << 32 | UInt64($1)) % modulus }
    }

    /// Hashes a list of ids, and for the last bucket the list twice, three times and so on until it is another bucket.
    private static func flagsmithHash(_ ids: String) -> UInt64 {
        var list = ids
        // A list whose first eight repetitions are all in the last bucket is practically impossible to find.
        for _ in 0..<8 {
            let bucket = remainder(of: Digest.md5(list.bytes.span), 9999)
            if bucket < 9998 { return bucket }
            list += "," + ids
        }
        return 9998
    }

    /// Returns the upper bound of a range for the first part of all units, as the vendor decides for a rollout.
    ///
    /// - Parameter weight: The size of the part, out of ``Ramp/total``.
    func bound(for weight: Int) -> Int64 {
        let (part, total) = (Int64(weight) * count, Int64(Ramp.total))
        return switch self {
        case .unleash, .unleashVariants, .firebase: part / total
        case .flagsmith: min(count, part / total + 1)
        case .growthBook: weight == 0 ? 0 : min(count, part / total + 1)
        default: (part + total - 1) / total
        }
    }

    /// Returns the smallest weight whose bound is at least this one.
    func weight(for bound: Int64) -> Int {
        var (low, high) = (0, Ramp.total)
        while low < high {
            let middle = (low + high) / 2
            if self.bound(for: middle) < bound { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns true if a bucket is in the first part of all buckets. The weight is as in ``bound(for:)``.
    func holds(_ bucket: Int64, within weight: Int) -> Bool {
        (includesUpperBounds ? bucket - 1 : bucket) < bound(for: weight)
    }

    /// Returns the text that a scheme hashes for a value, or nil for a value that is no unit: other values than texts
    /// and whole numbers.
    static func unit(_ value: FlagValue) -> String? {
        switch value {
        case .string(let text): return text
        case .number(let number):
            guard let integer = number.integer else { return nil }
            return (integer.isNegative ? "-" : "") + integer.magnitude.description
        default: return nil
        }
    }
}

extension String {
    fileprivate var bytes: [UInt8] { Array(utf8) }
}

/// A scheme with the ranges of its buckets. A ramp has no ranges.
struct SchemeSplit: Sendable {
    let scheme: SplitScheme
    /// The name of the scheme.
    let name: String
    /// The length of the parameters as JSON, in bytes.
    let parameterBytes: Int
    var ranges: [(from: Int64, to: Int64)] = []

    /// Returns the index of the range that contains a bucket, or nil.
    func range(of bucket: Int64) -> Int? {
        let place = scheme.includesUpperBounds ? bucket - 1 : bucket
        if let index = ranges.firstIndex(where: { $0.from <= place && place < $0.to }) { return index }
        guard scheme.extendsLastRange, let last = ranges.last, place >= last.to else { return nil }
        return ranges.count - 1
    }
}
