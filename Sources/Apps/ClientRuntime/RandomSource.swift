/// A source of random numbers for a client. Tests supply their own source.
public protocol RandomSource: Sendable {
    /// Returns 64 random bits.
    func next() -> UInt64
}

/// The system's generator, getrandom(2) on Linux. The generator is suitable for secrets.
public struct SystemRandomSource: RandomSource {
    /// Creates a source that uses the system's generator.
    public init() {}

    public func next() -> UInt64 { .random(in: .min ... .max) }
}

extension RandomSource {
    /// A random number in 0..<1.
    package var fraction: Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns random bytes of the same quality as the source.
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

    /// Returns an id of 128 random bits as 32 hexadecimal digits.
    package func identifier() -> String { bytes(16).hexadecimal }
}
