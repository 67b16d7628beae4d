/// How a signature is made, under its name in JSON Object Signing (RFC 7518 §3.1, RFC 8037 §3.1).
///
/// Only signatures of key pairs: a secret shared with the issuer could sign tokens too, and none at all proves nothing.
public enum SignatureAlgorithm: String, CaseIterable, Sendable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PSS with SHA-256 and a salt of 32 bytes.
    case ps256 = "PS256"
    /// ECDSA on P-256 with SHA-256; the signature is r and s, 32 bytes each.
    case es256 = "ES256"
    /// Ed25519.
    case edDSA = "EdDSA"
}
