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

/// The encoding of bytes as hexadecimal digits.
public enum Hex {
    /// Returns two lower-case digits per byte.
    public static func encode(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
