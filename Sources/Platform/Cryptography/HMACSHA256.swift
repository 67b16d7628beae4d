internal import AlmanacCOpenSSL

/// Message authentication codes: HMAC with SHA-256 (RFC 2104, FIPS 198-1).
public enum HMACSHA256 {
    /// Returns the code of a message, 32 bytes.
    public static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        // Safe because OpenSSL reads only the bytes of the given counts and writes exactly the length of a digest.
        unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { code, count in
            let isMade = unsafe HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, code.baseAddress, nil)
            precondition(unsafe isMade != nil, "OpenSSL lacks SHA-256")
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }

    /// Returns true if a code matches a message. The time does not depend on the differing bytes.
    public static func isValid(_ code: [UInt8], of message: [UInt8], key: [UInt8]) -> Bool {
        constantTimeEquals(code, self.code(of: message, key: key))
    }
}
