import AlmanacPOSIX

/// The numbers that a random test draws from: SplitMix64 (Steele, Lea, Flood 2014).
///
/// `ALMANAC_TEST_SEED` sets the seed, to see a failure again; every failure prints it.
struct Seed: RandomNumberGenerator, CustomStringConvertible {
    private let start: UInt64
    private var state: UInt64

    init() {
        let chosen = Process.variable("ALMANAC_TEST_SEED").flatMap(UInt64.init)
        self.init(chosen ?? .random(in: 0 ... .max))
    }

    init(_ start: UInt64) {
        self.start = start
        state = start
    }

    var description: String { "ALMANAC_TEST_SEED=\(start)" }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Whether something with a chance of one in so many happens.
    mutating func oneIn(_ count: Int) -> Bool {
        Int.random(in: 0..<count, using: &self) == 0
    }
}
