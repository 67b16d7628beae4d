/// When things were last used, in memory until it is written down now and then.
public struct LastUses<ID: Hashable & Sendable, Time: Comparable & Sendable>: ~Copyable, Sendable {
    /// Invariant: together they hold the newest use of each thing that was noted and not written down since.
    private let times = Stripes<[ID: Time]>([:])

    public init() {}

    public func note(_ id: ID, at time: Time) {
        times.withAny { $0[id] = time }
    }

    /// Hands over what is not written down yet, if there is any; where writing fails it is kept for the next time.
    public func record(_ write: ([ID: Time]) throws -> Void) throws {
        var taken: [ID: Time] = [:]
        times.withEach { times in
            taken.merge(times) { max($0, $1) }
            times = [:]
        }
        guard !taken.isEmpty else { return }
        do {
            try write(taken)
        } catch {
            times.withAny { $0.merge(taken) { max($0, $1) } }
            throw error
        }
    }
}
