internal import AlmanacCOpenSSL

/// Compares secrets in a time that tells nothing about where they differ; their lengths are no secret.
public func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    if left.count != right.count { return false }
    // Safe because both have as many bytes as are compared.
    return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}
