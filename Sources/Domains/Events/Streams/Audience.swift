internal import AlmanacIdentity
internal import AlmanacTimestamps

/// Who reads a stream: what they may see, and for how long.
struct Audience: Sendable {
    let readsConfig: Bool
    /// Whose notes the stream tells of; nil without a user's token.
    let user: VerifiedUser?
    /// The API token, which may be revoked; nil with a user's token or none.
    let tokenID: String?
    /// When the token expires, in milliseconds since 1970; nil for one without an end.
    let expiresAt: Int64?

    /// How long the token is still good, in seconds.
    func tokenExpiresIn(at now: Int64) -> Int64? {
        expiresAt.map { max(0, ($0 - now) / 1000) }
    }
}
