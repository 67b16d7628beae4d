/// A network as Unleash reads it: an address with a prefix length or a netmask, or an address alone.
struct UnleashNetwork: CustomStringConvertible {
    /// The address and the prefix length, as `almanac.network` takes them.
    let description: String
    let isIPv6: Bool
    /// True for a network of IPv6 that has the IPv4 addresses in their IPv6 form.
    let containsMappedAddresses: Bool
    /// The first bits of each address in the network.
    private let prefix: ArraySlice<Bool>

    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let bits = Self.bits(of: String(first)) else { return nil }
        var length = bits.count
        if parts.count == 2 {
            guard let written = Self.length(of: String(parts[1]), isIPv6: bits.count == 128), written <= length else {
                return nil
            }
            length = written
        }
        description = parts.count == 1 ? text : "\(first)/\(length)"
        isIPv6 = bits.count == 128
        prefix = bits[..<length]
        containsMappedAddresses =
            isIPv6 && length < 96 && zip(bits, Self.mapped).prefix(length).allSatisfy { $0 == $1 }
    }

    func contains(_ address: String) -> Bool {
        guard let bits = Self.bits(of: address) else { return false }
        return (bits.count == 128) == isIPv6 && bits.starts(with: prefix)
    }

    /// The first bits of an IPv4 address in the IPv6 form, `::ffff:0:0`.
    private static let mapped = [Bool](repeating: false, count: 80) + [Bool](repeating: true, count: 16)

    private static func length(of text: String, isIPv6: Bool) -> Int? {
        if text.contains(".") || text.contains(":") {
            guard let mask = bits(of: text), (mask.count == 128) == isIPv6 else { return nil }
            let length = mask.prefix { $0 }.count
            return mask[length...].contains(true) ? nil : length
        }
        guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy(UnleashForm.isDigit) else { return nil }
        return Int(text)
    }

    /// Returns the 32 or 128 bits of an address.
    private static func bits(of text: String) -> [Bool]? {
        let groups: [(value: Int, bits: Int)]
        if text.contains(":") {
            guard let found = sixteenBitGroups(text) else { return nil }
            groups = found.map { ($0, 16) }
        } else {
            guard let found = fourParts(text) else { return nil }
            groups = found.map { ($0, 8) }
        }
        return groups.flatMap { group in (0..<group.bits).reversed().map { group.value >> $0 & 1 == 1 } }
    }

    private static func fourParts(_ text: String) -> [Int]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy(UnleashForm.isDigit),
                part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0"), let number = Int(part), number < 256
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    private static func sixteenBitGroups(_ text: String) -> [Int]? {
        guard let gap = text.firstRange(of: "::") else {
            let all = groups(text[...])
            return all?.count == 8 ? all : nil
        }
        guard let head = groups(text[..<gap.lowerBound], mayEndInFourParts: false),
            let tail = groups(text[gap.upperBound...]), head.count + tail.count < 8
        else { return nil }
        return head + [Int](repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    private static func groups(_ text: Substring, mayEndInFourParts: Bool = true) -> [Int]? {
        guard !text.isEmpty else { return [] }
        var numbers: [Int] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (place, part) in parts.enumerated() {
            if place == parts.count - 1, mayEndInFourParts, let four = fourParts(String(part)) {
                numbers += [four[0] << 8 | four[1], four[2] << 8 | four[3]]
                continue
            }
            guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ $0 < 128 }),
                part.allSatisfy(\.isHexDigit), let number = Int(part, radix: 16)
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
