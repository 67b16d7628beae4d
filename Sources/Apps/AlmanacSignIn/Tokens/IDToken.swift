#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The claims about the user who has signed in (OpenID Connect Core §2).
///
/// The signature is not verified. §3.1.3.7 (6) permits this because the token comes directly from the token endpoint
/// over authenticated TLS. Do not use this type for a token from another source.
struct IDToken: Sendable {
    let subject: String

    /// - Parameter nonce: the request's nonce; nil for a refresh, whose ID token may omit it (§12.2).
    init(_ text: String, issuer: String, clientID: String, nonce: String?, now: Date) throws(SignInFailure) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, text.utf8.count <= 1 << 18, let payload = Base64URL.decode(parts[1]),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(payload))
        else { throw .wrongIDToken("expected a JWT with iss, sub, aud and exp") }
        guard claims.iss.utf8.elementsEqual(issuer.utf8) else { throw .wrongIDToken("it has another issuer") }
        guard claims.aud.values.contains(where: { $0.utf8.elementsEqual(clientID.utf8) }) else {
            throw .wrongIDToken("it is for another app")
        }
        // §3.1.3.7 (4, 5): if the token has several audiences, its authorized party must be this client.
        let party = claims.azp ?? (claims.aud.values.count == 1 ? clientID : "")
        guard party.utf8.elementsEqual(clientID.utf8) else { throw .wrongIDToken("it was issued for another app") }
        guard claims.exp > now.timeIntervalSince1970 - Self.leeway else {
            throw .wrongIDToken("it has expired; check the clock of this device")
        }
        if let nonce {
            guard let answered = claims.nonce, answered.utf8.elementsEqual(nonce.utf8) else {
                throw .wrongIDToken("its nonce differs from the request's")
            }
        }
        guard (1...255).contains(claims.sub.utf8.count), !claims.sub.utf8.contains(where: { $0 < 32 }) else {
            throw .wrongIDToken("expected a subject of 1 to 255 bytes")
        }
        subject = claims.sub
    }

    /// The tolerated clock difference, in seconds.
    private static let leeway: Double = 60

    private struct Claims: Decodable {
        let iss: String
        let sub: String
        let aud: Audience
        let exp: Double
        let azp: String?
        let nonce: String?
    }

    /// The `aud` claim: one name or a list of names.
    private struct Audience: Decodable {
        let values: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            values = try (try? [container.decode(String.self)]) ?? container.decode([String].self)
        }
    }
}
