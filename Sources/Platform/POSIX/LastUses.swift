internal import Synchronization

/// When things were last used, in memory until it is written down now and then.
public struct LastUses<ID: Hashable & Sendable, Time: Comparable & Sendable>: ~Copyable, Sendable {
    /// Invariant: holds exactly the newest use of each thing that was noted and not written down since.
    private let times = Mutex<[ID: Time]>([:])

    public init() {}

    public func note(_ id: ID, at time: Time) {
        times.withLock { $0[id] = time }
    }

    /// Hands over what is not written down yet, if there is any; where writing fails it is kept for the next time.
    public func record(_ write: ([ID: Time]) throws -> Void) throws {
        let taken = times.withLock { times in
            defer { times = [:] }
            return times
        }
        guard !taken.isEmpty else { return }
        do {
            try write(taken)
        } catch {
            times.withLock { $0.merge(taken) { max($0, $1) } }
            throw error
        }
    }
}
