internal import AlmanacIdentity
internal import Synchronization

/// How many streams each user has open, so that one account can't take them all.
final class Seats: Sendable {
    /// Invariant: counts the seats that exist; no user stands in it with 0.
    private let taken = Mutex<[VerifiedUser: Int]>([:])

    /// A seat for one more stream of a user; nil when as many as the limit are taken.
    func take(_ user: VerifiedUser, limit: Int) -> Seat? {
        let isFree = taken.withLock { taken in
            guard taken[user, default: 0] < limit else { return false }
            taken[user, default: 0] += 1
            return true
        }
        return isFree ? Seat(user, in: self) : nil
    }

    fileprivate func giveBack(_ user: VerifiedUser) {
        taken.withLock { taken in
            let left = taken[user, default: 1] - 1
            taken[user] = left > 0 ? left : nil
        }
    }
}

/// The right to one open stream, given back when nothing holds it any more.
final class Seat: Sendable {
    private let user: VerifiedUser
    private let seats: Seats

    fileprivate init(_ user: VerifiedUser, in seats: Seats) {
        self.user = user
        self.seats = seats
    }

    deinit {
        seats.giveBack(user)
    }
}
