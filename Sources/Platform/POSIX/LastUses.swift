/// The times at which things were last used, buffered in memory and written in batches.
public struct LastUses<ID: Hashable & Sendable, Time: Comparable & Sendable>: ~Copyable, Sendable {
    /// Invariant: all stripes together hold the latest unwritten use of each thing.
    @usableFromInline let times = StripedLock<[ID: Time]>([:])

    public init() {}

    @inlinable public func note(_ id: ID, at time: Time) { times.withAnyLock { $0[id] = time } }

    /// Passes the unwritten uses, if any, to a closure. If the closure throws, they stay for the next call.
    public func record(_ write: ([ID: Time]) throws -> Void) throws {
        var taken: [ID: Time] = [:]
        times.withEachLock { times in
            taken.merge(times) { max($0, $1) }
            times = [:]
        }
        guard !taken.isEmpty else { return }
        do {
            try write(taken)
        } catch {
            times.withAnyLock { $0.merge(taken) { max($0, $1) } }
            throw error
        }
    }
}
