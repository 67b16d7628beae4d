public import AlmanacTimestamps

/// What a token says that was proved to be its issuer's, for us, and in force.
public struct VerifiedToken: Sendable {
    /// Who vouches for the user.
    public let issuer: String
    /// The user, as the issuer names them: 1 to 255 bytes, unique among the issuer's.
    public let subject: String
    /// What the issuer lets the bearer do, word by word; words that Almanac doesn't know are among them.
    public let scopes: [String]
    /// The token's `exp`, without the leeway.
    public let expiresAt: Timestamp
}
