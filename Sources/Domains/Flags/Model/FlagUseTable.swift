internal import AlmanacTargeting
internal import Synchronization

/// The last use of each variant in a compiled set of flags, and the number of uses since the last `drain`. Uses are
/// indexed by flag and variant, so input from callers cannot make the table grow.
final class FlagUseTable: Sendable {
    private let set: FlagSet
    /// The first index of each flag, which has an index per variant in order, and one for no value.
    private let firstIndex: [Int]
    /// The last use at each index in seconds since 1970 (upper half) and the number of uses (lower half); empty until
    /// the first use. The second array serves callers while the first is locked.
    private let primaryCounts = Mutex<[UInt64]>([])
    private let overflowCounts = Mutex<[UInt64]>([])

    /// The last time at which an unchanged answer was evaluated to be counted, in seconds since 1970.
    private let sampledAt = Atomic<Int64>(0)
    /// The interval between sampled evaluations, in seconds.
    private static let sampleInterval: Int64 = 10

    /// The evaluations of one variant, or of a flag without a value.
    struct Use: Sendable, Equatable {
        let key: String
        /// The name of the variant; empty for no value.
        let variant: String
        /// The last use, in seconds since 1970.
        let lastAt: Int64
        let count: Int64
    }

    init(_ set: FlagSet) {
        self.set = set
        var starts = [0]
        starts.reserveCapacity(set.flags.count + 1)
        for flag in set.flags { starts.append(starts[starts.count - 1] + flag.variants.count + 1) }
        self.firstIndex = starts
    }

    /// Counts evaluations at a time, in seconds since 1970.
    ///
    /// - Parameter evaluations: The index of each flag in the set, with the index of the variant; nil for no value.
    func record(at seconds: Int64, _ evaluations: some Sequence<(Int, Int?)>) {
        func add(_ counts: inout [UInt64]) {
            if counts.isEmpty { counts = [UInt64](repeating: 0, count: firstIndex[firstIndex.count - 1]) }
            for (flag, variant) in evaluations {
                let place = variant.map { firstIndex[flag] + $0 } ?? firstIndex[flag + 1] - 1
                let count = UInt32(truncatingIfNeeded: counts[place])
                counts[place] = UInt64(UInt32(clamping: seconds)) << 32 | UInt64(count == .max ? count : count + 1)
            }
        }
        if primaryCounts.withLockIfAvailable({ add(&$0) }) == nil { overflowCounts.withLock { add(&$0) } }
    }

    /// Returns true, once per interval, if an unchanged answer should be evaluated for the counts.
    func claimSample(at seconds: Int64) -> Bool {
        let last = sampledAt.load(ordering: .relaxed)
        guard seconds - last >= Self.sampleInterval else { return false }
        return sampledAt.compareExchange(expected: last, desired: seconds, ordering: .relaxed).exchanged
    }

    /// Returns the counted uses and resets the counts.
    func drain() -> [Use] {
        func taken(_ counts: inout [UInt64]) -> [UInt64] {
            defer { for place in counts.indices { counts[place] = 0 } }
            return counts
        }
        let (first, second) = (self.primaryCounts.withLock { taken(&$0) }, self.overflowCounts.withLock { taken(&$0) })
        guard !first.isEmpty || !second.isEmpty else { return [] }
        var uses: [Use] = []
        for (index, flag) in set.flags.enumerated() {
            for place in firstIndex[index]..<firstIndex[index + 1] {
                let counts = [first, second].map { $0.isEmpty ? 0 : $0[place] }
                guard counts.contains(where: { $0 > 0 }) else { continue }
                let variant = place - firstIndex[index]
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
