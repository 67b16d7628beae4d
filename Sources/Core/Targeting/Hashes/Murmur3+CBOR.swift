// Hashes of values in deterministic CBOR (RFC 8949 §4.2.1), without building the bytes. A number with an integral
// value that fits 64 bits is encoded as an integer, whatever its notation.
extension Murmur3 {
    mutating func add(cbor value: FlagValue) {
        switch value {
        case .null: add(0xF6)
        case .bool(let value): add(value ? 0xF5 : 0xF4)
        case .number(let number): add(cbor: number)
        case .string(let text): add(cbor: text)
        case .array(let elements):
            add(head: 4, UInt64(elements.count))
            for element in elements { add(cbor: element) }
        case .object(let object):
            add(head: 5, UInt64(object.members.count))
            // Members are in the order of their encoded names, in which a shorter name comes first.
            let members = object.members.sorted { left, right in
                let (left, right) = (left.name, right.name)
                return left.utf8.count == right.utf8.count
                    ? left.comesBefore(right) : left.utf8.count < right.utf8.count
            }
            for member in members {
                add(cbor: member.name)
                add(cbor: member.value)
            }
        }
    }

    mutating func add(cbor text: String) {
        add(textOf: text.utf8.count)
        add(text)
    }

    /// Adds the head of a text.
    mutating func add(textOf count: Int) { add(head: 3, UInt64(count)) }

    /// Adds the head of an array.
    mutating func add(arrayOf count: Int) { add(head: 4, UInt64(count)) }

    private mutating func add(cbor number: FlagNumber) {
        if let integer = number.integer {
            add(head: integer.isNegative ? 1 : 0, integer.isNegative ? integer.magnitude - 1 : integer.magnitude)
        } else if let half = Murmur3.half(of: number.double) {
            add(head: 0xF9, bytes: 2, UInt64(half))
        } else if number.double == Double(Float(number.double)) {
            add(head: 0xFA, bytes: 4, UInt64(Float(number.double).bitPattern))
        } else {
            add(head: 0xFB, bytes: 8, number.double.bitPattern)
        }
    }

    private mutating func add(head major: UInt8, _ count: UInt64) {
        switch count {
        case 0..<24: add(major << 5 | UInt8(count))
        case 24...0xFF: add(head: major << 5 | 24, bytes: 1, count)
        case 0x100...0xFFFF: add(head: major << 5 | 25, bytes: 2, count)
        case 0x1_0000...0xFFFF_FFFF: add(head: major << 5 | 26, bytes: 4, count)
        default: add(head: major << 5 | 27, bytes: 8, count)
        }
    }

    private mutating func add(head: UInt8, bytes: UInt64, _ value: UInt64) {
        add(head)
        for place in (0..<bytes).reversed() { add(UInt8(truncatingIfNeeded: value >> (place * 8))) }
    }

    /// Returns the bits of the equal half-precision number, or nil if there is none.
    private static func half(of double: Double) -> UInt16? {
        if double.isNaN { return 0x7E00 }
        let sign: UInt16 = double.sign == .minus ? 0x8000 : 0
        if double.isInfinite { return sign | 0x7C00 }
        if double == 0 { return sign }
        let magnitude = double.magnitude
        // A subnormal number is a multiple of 2⁻²⁴; the smallest normal number is 1,024 times as large.
        let scale = max(magnitude.exponent, -14) - 10
        let units = magnitude * Double(sign: .plus, exponent: -scale, significand: 1)
        guard magnitude < 65536, units == units.rounded(.towardZero) else { return nil }
        let bits = UInt16(units)
        return magnitude.exponent < -14 ? sign | bits : sign | UInt16(magnitude.exponent + 15) << 10 | (bits & 0x3FF)
    }
}
