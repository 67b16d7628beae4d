internal import AlmanacPOSIX

/// A repeatable random number generator (splitmix64).
///
/// The seed is `ALMANAC_TEST_SEED`, or a new one. A test prints its seed with a failure, to reproduce it.
public struct Randomness: RandomNumberGenerator, Sendable {
    public let seed: UInt64
    private var state: UInt64

    public init() {
        self.init(seed: Process.variable("ALMANAC_TEST_SEED").flatMap { UInt64($0) } ?? .random(in: 0 ... .max))
    }

    public init(seed: UInt64) { (self.seed, state) = (seed, seed) }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// The note for a failed expectation.
    public var note: String { "ALMANAC_TEST_SEED=\(seed)" }
}

/// A generator of the numbers below a count in random order. Each number comes once before any repeats.
public struct Deck: Sendable {
    private let count: Int
    private var left: [Int] = []

    public init(_ count: Int) { self.count = count }

    /// Draws the next number.
    public mutating func draw(_ random: inout Randomness) -> Int {
        if left.isEmpty { left = (0..<count).shuffled(using: &random) }
        return left.removeLast()
    }
}
