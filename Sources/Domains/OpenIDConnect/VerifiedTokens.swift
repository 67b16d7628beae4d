public import AlmanacTimestamps
internal import Synchronization

/// A cache of valid tokens, so that each token is verified once and not for every request.
final class VerifiedTokens: Sendable {
    /// Invariant: both dictionaries together hold at most `capacity` tokens, verified against the keys of `generation`.
    private struct State {
        var generation = 0
        /// The tokens by the SHA-256 of their text.
        var recent: [[UInt8]: VerifiedToken] = [:]
        /// The tokens of `recent` when it was last full; a used one moves back, an unused one is evicted.
        var previous: [[UInt8]: VerifiedToken] = [:]
    }
    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int = 10_000) { self.capacity = capacity }

    /// - Parameter generation: the generation of the current keys.
    func find(_ digest: [UInt8], generation: Int) -> VerifiedToken? {
        state.withLock { state in
            guard state.generation == generation else { return nil }
            if let token = state.recent[digest] { return token }
            guard let token = state.previous.removeValue(forKey: digest) else { return nil }
            insert(token, digest, into: &state)
            return token
        }
    }

    /// - Parameter generation: the generation of the keys when the token's verification began.
    func insert(_ token: VerifiedToken, _ digest: [UInt8], generation: Int) {
        state.withLock { state in
            if generation > state.generation { state = State(generation: generation) }
            guard generation == state.generation else { return }
            insert(token, digest, into: &state)
        }
    }

    func remove(_ digest: [UInt8]) {
        state.withLock {
            $0.recent[digest] = nil
            $0.previous[digest] = nil
        }
    }

    var count: Int { state.withLock { $0.recent.count + $0.previous.count } }

    private func insert(_ token: VerifiedToken, _ digest: [UInt8], into state: inout State) {
        if state.recent.count >= capacity / 2 {
            state.previous = state.recent
            state.recent = [:]
        }
        state.recent[digest] = token
    }
}

/// A token that is signed by its issuer, meant for this audience and valid now.
public struct VerifiedToken: Sendable {
    /// The issuer, which vouches for the user.
    public let issuer: String
    /// The user's name at the issuer: 1 to 255 bytes, unique within the issuer.
    public let subject: String
    /// The person's name for others; nil if the token has none.
    public let name: String?
    /// The scopes that the issuer granted, including those unknown to Almanac.
    public let scopes: [String]
    /// The token's `exp`, without the leeway.
    public let expiresAt: Timestamp
}
