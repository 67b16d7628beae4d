/// Randomness, as every client needs it. Tests bring their own.
public protocol RandomSource: Sendable {
    /// 64 random bits.
    func next() -> UInt64
}

/// The system's generator, getrandom(2) on Linux: good enough for secrets.
public struct SystemRandomSource: RandomSource {
    public init() {}

    public func next() -> UInt64 { .random(in: .min ... .max) }
}

extension RandomSource {
    /// A number from 0 to below 1.
    package var fraction: Double { Double(next() >> 11) * 0x1p-53 }

    /// Bytes that are as hard to guess as the source is.
    package func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            var word = next()
            for _ in 0..<min(8, count - bytes.count) {
                bytes.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        return bytes
    }

    /// An id of 32 hexadecimal digits, 128 random bits.
    package func identifier() -> String {
        bytes(16).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}
