internal import AlmanacCOpenSSL

/// Bytes that nobody can guess, for secrets.
public enum RandomBytes {
    /// - Parameter count: how many.
    public static func make(count: Int) -> [UInt8] {
        // getrandom(2) on Linux.
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in generator.next() }
    }
}

/// Compares secrets in a time that tells nothing about where they differ; their lengths are no secret.
public func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    if left.count != right.count { return false }
    // Safe because both have as many bytes as are compared.
    return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}
