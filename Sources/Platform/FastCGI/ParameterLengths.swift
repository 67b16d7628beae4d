/// The lengths of a request's parameters, in the order sent (FastCGI 1.0 §3.4).
struct ParameterLengths {
    /// The lengths of a parameter's name and value, in bytes.
    struct Pair {
        let name: Int
        let value: Int
    }

    private(set) var pairs: [Pair] = []
    /// The lengths of the names modulo 64, one bit for each.
    private var nameLengths: UInt64 = 0

    init() {}

    /// Returns nil if the lengths don't fit the bytes.
    init?(of bytes: Span<UInt8>) {
        var position = 0
        func length() -> Int? {
            guard position < bytes.count else { return nil }
            let first = Int(bytes[position])
            position += 1
            guard first >= 128 else { return first }
            guard position + 3 <= bytes.count else { return nil }
            defer { position += 3 }
            return (position..<position + 3).reduce(first & 127) { $0 << 8 | Int(bytes[$1]) }
        }
        pairs.reserveCapacity(32)
        while position < bytes.count {
            // Both lengths have at most 31 bits, so their sum can't overflow.
            guard let name = length(), let value = length(), name + value <= bytes.count - position else { return nil }
            position += name + value
            pairs.append(Pair(name: name, value: value))
            nameLengths |= Self.bit(name)
        }
    }

    /// Returns false if no name has a length. Most lookups are of header fields that the request doesn't have.
    func mayHaveName(of length: Int) -> Bool { nameLengths & Self.bit(length) != 0 }

    private static func bit(_ length: Int) -> UInt64 { 1 << UInt64(length & 63) }
}
