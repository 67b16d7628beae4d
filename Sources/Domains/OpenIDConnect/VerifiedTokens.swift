public import AlmanacTimestamps
internal import Synchronization

/// Tokens that were found valid, so that each is checked once and not with every request.
final class VerifiedTokens: Sendable {
    /// Invariant: together both hold at most `capacity` tokens, all of them checked against the keys of `generation`.
    private struct State {
        var generation = 0
        /// By the SHA-256 of the whole token.
        var recent: [[UInt8]: VerifiedToken] = [:]
        /// The tokens of `recent` when it was last full: those asked for again move back, the others are forgotten.
        var older: [[UInt8]: VerifiedToken] = [:]
    }
    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int = 10_000) {
        self.capacity = capacity
    }

    /// - Parameter generation: of the keys that are in force now.
    func find(_ digest: [UInt8], generation: Int) -> VerifiedToken? {
        state.withLock { state in
            guard state.generation == generation else { return nil }
            if let token = state.recent[digest] { return token }
            guard let token = state.older.removeValue(forKey: digest) else { return nil }
            insert(token, digest, into: &state)
            return token
        }
    }

    /// - Parameter generation: of the keys when the token's check began.
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
            $0.older[digest] = nil
        }
    }

    var count: Int { state.withLock { $0.recent.count + $0.older.count } }

    private func insert(_ token: VerifiedToken, _ digest: [UInt8], into state: inout State) {
        if state.recent.count >= capacity / 2 {
            state.older = state.recent
            state.recent = [:]
        }
        state.recent[digest] = token
    }
}

/// A token that was proved to be its issuer's, for us, and in force.
public struct VerifiedToken: Sendable {
    /// The issuer, who vouches for the user.
    public let issuer: String
    /// The user, as the issuer names them: 1 to 255 bytes, unique among the issuer's.
    public let subject: String
    /// The scopes that the issuer gave the bearer, also those that Almanac doesn't know.
    public let scopes: [String]
    /// The token's `exp`, without the leeway.
    public let expiresAt: Timestamp
}
