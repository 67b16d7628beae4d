internal import AlmanacTargeting

/// A maker of random callers from the constants of rules.
struct CallerSampler {
    private let probes: [AttributeProbe]
    private var state: UInt64

    init(_ probes: [AttributeProbe], seed: UInt64) {
        self.probes = probes
        state = seed
    }

    /// Returns attributes by their names in the files. A sixth of the callers lack an attribute.
    mutating func caller() -> [String: FlagValue] {
        var attributes: [String: FlagValue] = [:]
        for probe in probes where number(below: 6) > 0 {
            let value = probe.values.isEmpty ? .string(unit()) : probe.values[number(below: probe.values.count)]
            if value != nil { attributes[probe.name] = value }
        }
        return attributes
    }

    private mutating func unit() -> String {
        switch number(below: 3) {
        case 0: "\(number(below: 10_000_000))"
        case 1: "user-\(String(number(below: 1 << 30), radix: 16))"
        default: "\(number(below: 100_000)).ñandú@example.com"
        }
    }

    /// Returns a number of a linear congruential generator (Knuth, MMIX).
    private mutating func number(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }
}
