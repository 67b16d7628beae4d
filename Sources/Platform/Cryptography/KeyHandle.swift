internal import AlmanacCOpenSSL

/// An OpenSSL key, freed with the last reference.
@safe final class KeyHandle: @unchecked Sendable {
    // Safe because the pointer is the only reference, lent for one call at a time and dropped in `deinit`; safe to
    // share because a complete key is only read, which OpenSSL allows several threads to do at once
    // (openssl-threads(7)).
    let pointer: OpaquePointer

    /// - Parameter pointer: A key owned by the handle from now on, or nil if OpenSSL refused to make it.
    init?(takingOwnership pointer: OpaquePointer?) {
        // Errors left in the thread's queue would confuse the next caller.
        ERR_clear_error()
        guard let pointer = unsafe pointer else { return nil }
        unsafe self.pointer = pointer
    }

    /// - Parameter encoded: A SubjectPublicKeyInfo without further bytes.
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

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// True if the numbers form a valid public key, such as a point on the curve.
    private var isPlausible: Bool {
        guard let context = unsafe EVP_PKEY_CTX_new(pointer, nil) else { fatalError("out of memory") }
        defer {
            unsafe EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        return unsafe EVP_PKEY_public_check(context) == 1
    }

    /// The public key as a SubjectPublicKeyInfo.
    var encodedPublicKey: [UInt8] {
        // Safe because OpenSSL allocates the bytes, tells how many there are, and they are freed after being copied.
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PUBKEY(pointer, &bytes)
        precondition(count > 0, "a generated key has an encoding")
        defer { unsafe CRYPTO_free(bytes, #file, #line) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    var isEd25519: Bool { unsafe EVP_PKEY_is_a(pointer, "ED25519") == 1 }
}
