internal import AlmanacCOpenSSL

/// The hash function SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// The implementation, found once: OpenSSL's function `SHA256` searches for it at every call.
    private nonisolated(unsafe) static let implementation = unsafe EVP_MD_fetch(nil, "SHA256", nil)

    /// Returns the digest, 32 bytes.
    public static func digest(_ bytes: [UInt8]) -> [UInt8] {
        // Safe because OpenSSL reads only the bytes of the given count and writes exactly the length of a digest.
        unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
            let isHashed = unsafe EVP_Digest(bytes, bytes.count, digest.baseAddress, nil, implementation, nil)
            precondition(isHashed == 1, "OpenSSL has no SHA-256")
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }
}

extension SHA256 {
    /// The digest of bytes that arrive in parts.
    @safe public struct Digester: ~Copyable {
        // Safe because this value alone owns the context, which lives until the end of the value.
        private let context: OpaquePointer

        public init() {
            unsafe context = EVP_MD_CTX_new()
            let isReady = unsafe EVP_DigestInit_ex2(context, implementation, nil)
            precondition(isReady == 1, "OpenSSL has no SHA-256")
        }

        deinit { unsafe EVP_MD_CTX_free(context) }

        public mutating func append(_ bytes: [UInt8]) {
            let isHashed = unsafe EVP_DigestUpdate(context, bytes, bytes.count)
            precondition(isHashed == 1, "OpenSSL could not hash")
        }

        /// Returns the digest of all bytes, 32 bytes. Nothing may be appended afterwards.
        public mutating func finish() -> [UInt8] {
            unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
                let isHashed = unsafe EVP_DigestFinal_ex(context, digest.baseAddress, nil)
                precondition(isHashed == 1, "OpenSSL could not hash")
                count = Int(SHA256_DIGEST_LENGTH)
            }
        }
    }
}

/// The encoding of bytes as hexadecimal digits.
public enum Hex {
    /// Returns two lower-case digits per byte.
    public static func encode(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
