internal import AlmanacTargeting
internal import Synchronization

/// When each variant of one compiled set of flags was last given, and how often since that was asked for: by its place,
/// so that nothing that a caller sends can make it grow.
final class FlagUseTable: Sendable {
    private let set: FlagSet
    /// Where the places of each flag begin: its variants in their order, then the one for no value.
    private let starts: [Int]
    /// Of each place the last second since 1970 in the upper half, the number in the lower one; empty until it is first
    /// used. Two of them, so that nobody waits for somebody who is counting.
    private let first = Mutex<[UInt64]>([])
    private let second = Mutex<[UInt64]>([])

    /// When an answer that need not be worked out was worked out last to be counted, in seconds since 1970.
    private let sampledAt = Atomic<Int64>(0)
    /// How often that is done, in seconds.
    private static let sampleInterval: Int64 = 10

    /// Evaluations of one variant, or of a flag without a value.
    struct Use: Sendable, Equatable {
        let key: String
        /// Empty for no value.
        let variant: String
        /// In seconds since 1970.
        let lastAt: Int64
        let count: Int64
    }

    init(_ set: FlagSet) {
        self.set = set
        var starts = [0]
        starts.reserveCapacity(set.flags.count + 1)
        for flag in set.flags { starts.append(starts[starts.count - 1] + flag.variants.count + 1) }
        self.starts = starts
    }

    /// Notes evaluations of one moment.
    ///
    /// - Parameters:
    ///   - seconds: the time, since 1970.
    ///   - evaluations: the flags' places in the set, each with the place of its variant; nil for no value.
    func note(at seconds: Int64, _ evaluations: some Sequence<(Int, Int?)>) {
        func add(_ counts: inout [UInt64]) {
            if counts.isEmpty { counts = [UInt64](repeating: 0, count: starts[starts.count - 1]) }
            for (flag, variant) in evaluations {
                let place = variant.map { starts[flag] + $0 } ?? starts[flag + 1] - 1
                let count = UInt32(truncatingIfNeeded: counts[place])
                counts[place] = UInt64(UInt32(clamping: seconds)) << 32 | UInt64(count == .max ? count : count + 1)
            }
        }
        if first.withLockIfAvailable({ add(&$0) }) == nil { second.withLock { add(&$0) } }
    }

    /// Whether to evaluate for somebody who has the answer already, so that their use counts: for one of them now and
    /// then.
    func takesSample(at seconds: Int64) -> Bool {
        let last = sampledAt.load(ordering: .relaxed)
        guard seconds - last >= Self.sampleInterval else { return false }
        return sampledAt.compareExchange(expected: last, desired: seconds, ordering: .relaxed).exchanged
    }

    /// Takes out what has been noted.
    func take() -> [Use] {
        func taken(_ counts: inout [UInt64]) -> [UInt64] {
            defer { for place in counts.indices { counts[place] = 0 } }
            return counts
        }
        let (first, second) = (self.first.withLock { taken(&$0) }, self.second.withLock { taken(&$0) })
        guard !first.isEmpty || !second.isEmpty else { return [] }
        var uses: [Use] = []
        for (index, flag) in set.flags.enumerated() {
            for place in starts[index]..<starts[index + 1] {
                let counts = [first, second].map { $0.isEmpty ? 0 : $0[place] }
                guard counts.contains(where: { $0 > 0 }) else { continue }
                let variant = place - starts[index]
                uses.append(
                    Use(
                        key: flag.key, variant: variant < flag.variants.count ? flag.variants[variant].name : "",
                        lastAt: Int64(counts.map { $0 >> 32 }.max() ?? 0),
                        count: counts.reduce(0) { $0 + Int64(UInt32(truncatingIfNeeded: $1)) }))
            }
        }
        return uses
    }
}
