internal import AlmanacIdentity
internal import Synchronization

/// How many streams each user has open, so that one account can't take them all.
final class StreamSlots: Sendable {
    /// Invariant: counts the slots that exist; no user stands in it with 0.
    private let taken = Mutex<[VerifiedUser: Int]>([:])

    /// A slot for one more stream of a user; nil when as many as the limit are taken.
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

/// The right to one open stream, given back when nothing holds it any more.
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
