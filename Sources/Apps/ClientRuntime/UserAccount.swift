#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An end user: the subject of an issuer, as in an ID token.
public struct UserAccount: Sendable, Hashable, Codable {
    /// The provider's issuer URL, byte for byte.
    public let issuer: String
    /// The provider's permanent id of the user. The id is not a name to display.
    public let subject: String

    /// Names a user as the claims `iss` and `sub` do.
    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    /// Reads the user from the claims of an access token; nil if the token is no JWT with `iss` and `sub`.
    ///
    /// The signature is not verified. Only the server can decide whether the token is valid.
    public init?(accessToken: String) {
        struct Claims: Decodable {
            let iss: String
            let sub: String
        }
        let parts = accessToken.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(payload))
        else { return nil }
        self.init(issuer: claims.iss, subject: claims.sub)
    }

    /// Returns true if both accounts have the same bytes. Canonically equivalent names are different users.
    package func isIdentical(to other: UserAccount) -> Bool {
        issuer.utf8.elementsEqual(other.issuer.utf8) && subject.utf8.elementsEqual(other.subject.utf8)
    }
}
