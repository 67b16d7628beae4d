internal import AlmanacCryptography

/// The SHA-256 of a blob's bytes, by which stores and rows name the blob.
public struct BlobHash: Hashable, Sendable, CustomStringConvertible {
    /// The digest, 32 bytes.
    public let bytes: [UInt8]
    /// The digest as 64 lower-case hexadecimal digits.
    public let description: String

    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
        description = Hex.encode(bytes)
    }

    /// Parses 64 lower-case hexadecimal digits.
    public init?(_ text: String) {
        let digits = text.utf8.compactMap(Self.value)
        guard text.utf8.count == 64, digits.count == 64 else { return nil }
        bytes = stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        description = text
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
