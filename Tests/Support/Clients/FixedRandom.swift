public import AlmanacClientRuntime

/// Randomness that is always the same, so that a test can name what comes of it.
public struct FixedRandom: RandomSource {
    private let value: UInt64

    public init(_ value: UInt64) {
        self.value = value
    }

    /// Every fraction is 0.
    public static let lowest = FixedRandom(.min)
    /// Every fraction is just below 1.
    public static let highest = FixedRandom(.max)

    public func next() -> UInt64 { value }
}
