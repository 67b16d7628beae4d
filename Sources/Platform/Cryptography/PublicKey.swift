/// A key that checks signatures, of a kind that says which algorithms it may be used with.
///
/// The kind is fixed when the key is made, so no token can talk a key into an algorithm that it is not for
/// (RFC 8725 §3.1).
public final class PublicKey: Sendable {
    /// What a key is, and with it what it can check.
    public enum Kind: Sendable {
        case rsa, p256, ed25519

        /// The algorithms whose signatures a key of this kind checks.
        public var algorithms: [SignatureAlgorithm] {
            switch self {
            case .rsa: [.rs256, .ps256]
            case .p256: [.es256]
            case .ed25519: [.edDSA]
            }
        }
    }

    public let kind: Kind
    /// SHA-256 of the key as a SubjectPublicKeyInfo (RFC 5280 §4.1): the same for the same key, and for no other.
    public let fingerprint: [UInt8]
    let handle: KeyHandle

    /// NIST SP 800-131A and RFC 7518 §3.3 ask for 2048 bits; more than 8192 would only make checking slow.
    public static let rsaBits = 2048...8192

    init(_ kind: Kind, _ handle: KeyHandle) {
        self.kind = kind
        self.handle = handle
        fingerprint = SHA256.digest(handle.encodedPublicKey)
    }
}

extension PublicKey {
    /// An RSA key.
    ///
    /// - Parameters:
    ///   - modulus: n, the most significant byte first.
    ///   - exponent: e, likewise: odd, at least 3, at most 32 bits.
    public convenience init(rsaModulus modulus: [UInt8], exponent: [UInt8]) throws(KeyFailure) {
        let modulus = Array(modulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        guard Self.rsaBits.contains(bits) else { throw .wrongSize(bits: bits, allowed: Self.rsaBits) }
        guard let lowest = modulus.last, lowest & 1 == 1, (1...4).contains(exponent.count),
            let last = exponent.last, last & 1 == 1, exponent != [1]
        else { throw .malformed }
        let identifier = DER.objectIdentifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01])
        let key = DER.sequence(DER.integer(modulus), DER.integer(exponent))
        try self.init(.rsa, encoded: DER.sequence(DER.sequence(identifier, DER.null), DER.bitString(key)))
    }

    /// A key on the curve P-256 by the coordinates of its point, 32 bytes each.
    public convenience init(p256X x: [UInt8], y: [UInt8]) throws(KeyFailure) {
        guard x.count == 32, y.count == 32 else { throw .malformed }
        let keyKind = DER.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01])
        let curve = DER.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
        try self.init(
            .p256, encoded: DER.sequence(DER.sequence(keyKind, curve), DER.bitString([0x04] + x + y)))
    }

    /// An Ed25519 key, 32 bytes (RFC 8032 §5.1.5).
    public convenience init(ed25519 bytes: [UInt8]) throws(KeyFailure) {
        guard bytes.count == 32 else { throw .malformed }
        let identifier = DER.objectIdentifier([0x2B, 0x65, 0x70])
        try self.init(.ed25519, encoded: DER.sequence(DER.sequence(identifier), DER.bitString(bytes)))
    }

    /// - Parameter encoded: a SubjectPublicKeyInfo.
    private convenience init(_ kind: Kind, encoded: [UInt8]) throws(KeyFailure) {
        self.init(kind, try KeyHandle(publicKey: encoded))
    }
}
