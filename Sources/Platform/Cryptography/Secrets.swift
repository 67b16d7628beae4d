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

/// A secret as the key of a dictionary. A search reveals nothing by its time: the hash depends on a random number of
/// this process (SipHash), and a comparison takes the same time for all texts of one length.
public struct SecretText: Hashable, Sendable {
    private let bytes: [UInt8]

    public init(_ text: String) { bytes = Array(text.utf8) }

    public init(_ utf8: ArraySlice<UInt8>) { bytes = Array(utf8) }

    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public static func == (left: SecretText, right: SecretText) -> Bool { constantTimeEquals(left.bytes, right.bytes) }

    public func hash(into hasher: inout Hasher) {
        // Safe because the hasher only reads the bytes, during the call.
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}
