internal import AlmanacCOpenSSL

extension PublicKey {
    /// Whether the owner of the key made the signature over exactly this message; false too for an algorithm that the
    /// key is not for.
    ///
    /// Any number of threads may ask at the same time.
    ///
    /// - Parameter signature: in the form of RFC 7518 §3: for ES256 that is r and s, not DER.
    public func isValid(_ signature: [UInt8], of message: [UInt8], by algorithm: SignatureAlgorithm) -> Bool {
        guard kind.algorithms.contains(algorithm) else { return false }
        switch algorithm {
        case .rs256: return check(signature, message, padding: RSA_PKCS1_PADDING)
        case .ps256: return check(signature, message, padding: RSA_PKCS1_PSS_PADDING)
        case .es256:
            guard signature.count == 64 else { return false }
            let (r, s) = (Array(signature[..<32]), Array(signature[32...]))
            return check(DER.sequence(DER.integer(r), DER.integer(s)), message)
        case .edDSA: return check(signature, message, hashes: false)
        }
    }

    /// - Parameters:
    ///   - signature: in OpenSSL's form.
    ///   - hashes: whether the message is hashed first; Ed25519 does that itself.
    ///   - padding: of RSA.
    private func check(
        _ signature: [UInt8], _ message: [UInt8], hashes: Bool = true, padding: Int32? = nil
    ) -> Bool {
        guard let context = unsafe EVP_MD_CTX_new() else { fatalError("out of memory") }
        defer {
            unsafe EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        // Safe because the context of the key belongs to the context above, and OpenSSL reads the bytes it is told of.
        var keyContext: OpaquePointer?
        let digest = unsafe hashes ? EVP_sha256() : nil
        guard unsafe EVP_DigestVerifyInit(context, &keyContext, digest, nil, handle.pointer) == 1 else { return false }
        if let padding {
            guard unsafe EVP_PKEY_CTX_set_rsa_padding(keyContext, padding) == 1 else { return false }
            if padding == RSA_PKCS1_PSS_PADDING {
                // RFC 7518 §3.5: the salt is as long as the hash.
                let code = unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(keyContext, SHA256_DIGEST_LENGTH)
                guard code == 1 else { return false }
            }
        }
        return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
