internal import AlmanacIdentity
internal import Synchronization

/// The number of open streams of each user, limited so that one account cannot take all streams.
final class StreamSlots: Sendable {
    /// Invariant: counts the existing slots, without users at 0.
    private let counts = Mutex<[VerifiedUser: Int]>([:])

    /// Acquires a slot for another stream of a user; returns nil if the limit is reached.
    func acquire(_ user: VerifiedUser, limit: Int) -> StreamSlot? {
        let isFree = counts.withLock { counts in
            guard counts[user, default: 0] < limit else { return false }
            counts[user, default: 0] += 1
            return true
        }
        return isFree ? StreamSlot(user, in: self) : nil
    }

    fileprivate func release(_ user: VerifiedUser) {
        counts.withLock { counts in
            let remaining = counts[user, default: 1] - 1
            counts[user] = remaining > 0 ? remaining : nil
        }
    }
}

/// The right to one open stream, released when the last reference is gone.
final class StreamSlot: Sendable {
    private let user: VerifiedUser
    private let slots: StreamSlots

    fileprivate init(_ user: VerifiedUser, in slots: StreamSlots) {
        self.user = user
        self.slots = slots
    }

    deinit { slots.release(user) }
}
