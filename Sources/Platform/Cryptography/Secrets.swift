internal import AlmanacCOpenSSL

/// Unpredictable random bytes for secrets.
public enum RandomBytes {
    public static func make(count: Int) -> [UInt8] {
        // The generator calls getrandom(2) on Linux.
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in generator.next() }
    }
}

/// Compares secrets in a time that does not depend on the differing bytes. Lengths are not protected.
public func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    if left.count != right.count { return false }
    // Safe because both have as many bytes as are compared.
    return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}
