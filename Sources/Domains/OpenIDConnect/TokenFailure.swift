/// The reason why a token was refused. The descriptions may be shown to the sender of the token.
public enum TokenFailure: Error, Equatable, Sendable, CaseIterable {
    case malformed
    case tooLarge
    /// `none`, an algorithm with a shared secret, or an unsupported one.
    case algorithmRefused
    /// A `crit` header, which names an extension required to use the token safely.
    case extensionRefused
    /// A refresh token, an ID token or a logout token.
    case notAnAccessToken
    /// An access token or another one in place of an ID token.
    case notAnIDToken
    case wrongNonce
    /// The provider did not ask the user to sign in again, although that was requested.
    case notFresh
    case wrongIssuer
    case wrongAudience
    case noSubject
    case noExpiry
    case expired
    case notYetValid
    case unknownKey
    case wrongSignature
    /// The issuer's keys can't be fetched at the moment, so the token can't be verified.
    case keysUnavailable

    /// True if the same token may be accepted later.
    public var isTemporary: Bool { self == .keysUnavailable }
}

extension TokenFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed: "the token is not a JSON Web Token in compact form, or has a claim of the wrong type"
        case .tooLarge: "the token is longer than \(CompactToken.maxBytes) bytes"
        case .algorithmRefused:
            "the token must be signed with \(SupportedAlgorithms.names), but names another algorithm"
        case .extensionRefused: "the token needs an extension (crit, b64) that is not supported"
        case .notAnAccessToken: "the token says that it is not an access token; send the access token"
        case .notAnIDToken: "the token says that it is not an ID token"
        case .wrongNonce: "the ID token belongs to another sign-in"
        case .notFresh:
            "the provider did not make the user sign in again, or omitted the time of the sign-in (auth_time)"
        case .wrongIssuer: "the token has another issuer than this environment"
        case .wrongAudience: "the token has another audience than this environment"
        case .noSubject: "the token has no subject (sub) of 1 to 255 bytes"
        case .noExpiry: "the token has no expiry (exp)"
        case .expired: "the token has expired"
        case .notYetValid: "the token is not valid yet, or was issued in the future"
        case .unknownKey: "the token is signed with a key that its issuer does not publish"
        case .wrongSignature: "the token's signature is not valid"
        case .keysUnavailable: "the keys of the token's issuer are unavailable; try again later"
        }
    }
}
