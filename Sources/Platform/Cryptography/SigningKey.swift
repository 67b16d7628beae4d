internal import AlmanacCOpenSSL

/// An Ed25519 key pair that makes signatures.
public final class SigningKey: Sendable {
    let handle: KeyHandle
    public let publicKey: PublicKey

    public convenience init() {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "ED25519", nil) else { fatalError("out of memory") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        // Safe because the key is handed over once, to the handle that frees it.
        var key: OpaquePointer?
        let isMade = unsafe EVP_PKEY_keygen_init(context) == 1 && EVP_PKEY_generate(context, &key) == 1
        guard isMade, let handle = unsafe KeyHandle(takingOwnership: key) else {
            preconditionFailure("OpenSSL lacks Ed25519 or random bytes")
        }
        self.init(handle)
    }

    init(_ handle: KeyHandle) {
        self.handle = handle
        publicKey = PublicKey(.ed25519, handle)
    }

    /// Returns the signature over a message, 64 bytes (RFC 8032 §5.1.6).
    public func sign(_ message: [UInt8]) -> [UInt8] {
        guard let context = unsafe EVP_MD_CTX_new() else { fatalError("out of memory") }
        defer { unsafe EVP_MD_CTX_free(context) }
        // Safe because OpenSSL reads only the bytes of the given count and writes no more than the count it is given.
        return unsafe [UInt8](unsafeUninitializedCapacity: 64) { signature, count in
            count = 64
            let isSigned =
                unsafe EVP_DigestSignInit(context, nil, nil, nil, handle.pointer) == 1
                && EVP_DigestSign(context, signature.baseAddress, &count, message, message.count) == 1
            precondition(isSigned, "an Ed25519 key signs any message")
        }
    }
}
