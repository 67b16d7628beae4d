internal import AlmanacIdentity
internal import Synchronization

/// The number of open streams of each user, limited so that one account cannot take all streams.
final class StreamSlots: Sendable {
    /// Invariant: counts the existing slots, without users at 0.
    private let taken = Mutex<[VerifiedUser: Int]>([:])

    /// Takes a slot for another stream of a user; returns nil if the limit is reached.
    func take(_ user: VerifiedUser, limit: Int) -> StreamSlot? {
        let isFree = taken.withLock { taken in
            guard taken[user, default: 0] < limit else { return false }
            taken[user, default: 0] += 1
            return true
        }
        return isFree ? StreamSlot(user, in: self) : nil
    }

    fileprivate func giveBack(_ user: VerifiedUser) {
        taken.withLock { taken in
            let left = taken[user, default: 1] - 1
            taken[user] = left > 0 ? left : nil
        }
    }
}

/// The right to one open stream, given back when the last reference is gone.
final class StreamSlot: Sendable {
    private let user: VerifiedUser
    private let slots: StreamSlots

    fileprivate init(_ user: VerifiedUser, in slots: StreamSlots) {
        self.user = user
        self.slots = slots
    }

    deinit {
        slots.giveBack(user)
    }
}
