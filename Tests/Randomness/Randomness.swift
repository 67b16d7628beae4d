internal import AlmanacPOSIX

/// Repeatable random numbers (splitmix64).
///
/// The seed is that of `ALMANAC_TEST_SEED`, or a new one; a test names it in its expectations, so that a failure can be
/// had again.
public struct Randomness: RandomNumberGenerator, Sendable {
    public let seed: UInt64
    private var state: UInt64

    public init() {
        self.init(seed: Process.variable("ALMANAC_TEST_SEED").flatMap { UInt64($0) } ?? .random(in: 0 ... .max))
    }

    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// What to say beside a failed expectation.
    public var note: String { "ALMANAC_TEST_SEED=\(seed)" }
}

/// The numbers below a count in random order, each once before any comes again: a short run has all of them.
public struct Deck: Sendable {
    private let count: Int
    private var left: [Int] = []

    public init(_ count: Int) {
        self.count = count
    }

    /// Draws the next number.
    public mutating func draw(_ random: inout Randomness) -> Int {
        if left.isEmpty { left = (0..<count).shuffled(using: &random) }
        return left.removeLast()
    }
}
