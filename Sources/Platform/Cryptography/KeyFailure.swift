/// Why bytes were refused as a key.
public enum KeyFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// Not a key of that kind: a wrong length, a point off the curve, an even modulus.
    case malformed
    /// An RSA modulus outside the bounds, in bits.
    case wrongSize(bits: Int, allowed: ClosedRange<Int>)
    /// A PEM text without a key of the kind that was asked for.
    case noKeyInText

    public var description: String {
        switch self {
        case .malformed: "the key is malformed"
        case .wrongSize(let bits, let allowed):
            "the key has \(bits) bits; allowed are \(allowed.lowerBound) to \(allowed.upperBound)"
        case .noKeyInText: "the text holds no Ed25519 key in PEM"
        }
    }
}
