public import AlmanacClientRuntime

/// A random source that always returns the same value, so that a test can predict results.
public struct FixedRandom: RandomSource {
    private let value: UInt64

    public init(_ value: UInt64) { self.value = value }

    /// A source whose fractions are 0.
    public static let lowest = FixedRandom(.min)
    /// A source whose fractions are just below 1.
    public static let highest = FixedRandom(.max)

    public func next() -> UInt64 { value }
}
