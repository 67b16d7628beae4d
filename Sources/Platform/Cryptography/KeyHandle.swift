internal import AlmanacCOpenSSL

/// A key as OpenSSL holds it, freed when the last reference is gone.
@safe final class KeyHandle: @unchecked Sendable {
    // Safe because the pointer is the one reference that OpenSSL gave away, dropped in `deinit`, and lent to no one for
    // longer than a call; safe to share because a key that is complete is only read, which OpenSSL allows to several
    // threads at once (openssl-threads(7)).
    let pointer: OpaquePointer

    /// - Parameter pointer: owned by the handle from now on; nil when OpenSSL has refused to make the key.
    init?(takingOwnership pointer: OpaquePointer?) {
        // OpenSSL's errors would stay in the thread's queue and confuse the next caller.
        ERR_clear_error()
        guard let pointer = unsafe pointer else { return nil }
        unsafe self.pointer = pointer
    }

    /// - Parameter encoded: a SubjectPublicKeyInfo and nothing behind it.
    convenience init(publicKey encoded: [UInt8]) throws(KeyFailure) {
        // Safe because d2i_PUBKEY reads no more bytes than the given count, and keeps none.
        let pointer = unsafe encoded.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &next, bytes.count)
        }
        guard unsafe pointer != nil else { throw .malformed }
        unsafe self.init(takingOwnership: pointer)!
        if !isPlausible { throw .malformed }
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    /// Whether the numbers can be those of a public key: a point lies on its curve.
    private var isPlausible: Bool {
        guard let context = unsafe EVP_PKEY_CTX_new(pointer, nil) else { fatalError("out of memory") }
        defer {
            unsafe EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        return unsafe EVP_PKEY_public_check(context) == 1
    }

    /// The public half as a SubjectPublicKeyInfo.
    var encodedPublicKey: [UInt8] {
        // Safe because OpenSSL allocates the bytes, tells how many there are, and they are freed after being copied.
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PUBKEY(pointer, &bytes)
        precondition(count > 0, "a key that was made has an encoding")
        defer { unsafe CRYPTO_free(bytes, #file, #line) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// Whether it is a key for Ed25519.
    var isEd25519: Bool { unsafe EVP_PKEY_is_a(pointer, "ED25519") == 1 }
}
