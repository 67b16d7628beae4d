/// A range of IP addresses in CIDR notation (RFC 4632, RFC 4291) for `almanac.network`.
///
/// An IPv4 address in an IPv6 form (`::ffff:10.0.0.1`) is the IPv4 address, because servers on a dual-stack socket
/// report IPv4 callers in this form.
struct Network: Sendable {
    private let base: Address
    private let prefixLength: Int

    /// Reads a network such as `10.0.0.0/8` or `2001:db8::/32`. An address without a prefix length is a network of one
    /// address. Bits behind the prefix are ignored.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let base = Address(first) else { return nil }
        // An IPv4 prefix length counts from bit 96 of the mapped address.
        let offset = first.contains(UInt8(ascii: ":")) ? 0 : 96
        var length = 128
        if parts.count == 2 {
            guard let written = DecimalDigits.number(parts[1], maxDigits: 3), Int(written) + offset <= 128 else {
                return nil
            }
            length = Int(written) + offset
        }
        self.base = base
        prefixLength = length
    }

    func contains(_ address: Address) -> Bool {
        // A short IPv6 prefix such as ::/0 does not contain the IPv4 addresses.
        guard address.isIPv4 == (base.isIPv4 && prefixLength >= 96) else { return false }
        let high = UInt64.max << UInt64(64 - min(prefixLength, 64))
        let low = UInt64.max << UInt64(128 - max(prefixLength, 64))
        return (address.high ^ base.high) & high == 0 && (address.low ^ base.low) & low == 0
    }

    /// An IPv6 address, or an IPv4 address in the mapped form of IPv6.
    struct Address: Sendable {
        let high: UInt64
        let low: UInt64

        var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

        init?(_ text: String) { self.init(text.utf8[...]) }

        fileprivate init?(_ text: Substring.UTF8View) {
            guard text.contains(UInt8(ascii: ":")) else {
                guard let address = Address.fourParts(text) else { return nil }
                (high, low) = (0, 0xFFFF_0000_0000 | address)
                return
            }
            guard let groups = Address.eightGroups(text) else { return nil }
            (high, low) = (Address.joined(groups[..<4]), Address.joined(groups[4...]))
        }

        private static func joined(_ groups: ArraySlice<UInt64>) -> UInt64 { groups.reduce(0) { $0 << 16 | $1 } }

        /// Reads the dotted form of an IPv4 address. A leading zero is refused, because some systems read it as octal.
        private static func fourParts(_ text: Substring.UTF8View) -> UInt64? {
            let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.count == 4 else { return nil }
            var address: UInt64 = 0
            for part in parts {
                guard let number = DecimalDigits.number(part, maxDigits: 3), number <= 255,
                    part.count == 1 || part.first != UInt8(ascii: "0")
                else { return nil }
                address = address << 8 | UInt64(number)
            }
            return address
        }

        /// Reads the eight groups of an IPv6 address, in which `::` stands for at least one group of zeros.
        private static func eightGroups(_ text: Substring.UTF8View) -> [UInt64]? {
            var index = text.startIndex
            while index < text.endIndex {
                let next = text.index(after: index)
                if text[index] == UInt8(ascii: ":"), next < text.endIndex, text[next] == UInt8(ascii: ":") {
                    guard let head = groups(text[..<index], mayEndInFourParts: false),
                        let tail = groups(text[text.index(after: next)...]), head.count + tail.count < 8
                    else { return nil }
                    return head + [UInt64](repeating: 0, count: 8 - head.count - tail.count) + tail
                }
                index = next
            }
            guard let all = groups(text), all.count == 8 else { return nil }
            return all
        }

        private static func groups(_ text: Substring.UTF8View, mayEndInFourParts: Bool = true) -> [UInt64]? {
            guard !text.isEmpty else { return [] }
            let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard parts.count <= 8 else { return nil }
            var groups: [UInt64] = []
            for (index, part) in parts.enumerated() {
                if mayEndInFourParts, index == parts.count - 1, let address = fourParts(part) {
                    groups += [address >> 16, address & 0xFFFF]
                } else {
                    guard (1...4).contains(part.count), part.allSatisfy(isHexDigit),
                        let group = UInt64(String(Substring(part)), radix: 16)
                    else { return nil }
                    groups.append(group)
                }
            }
            return groups
        }

        private static func isHexDigit(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
        }
    }
}
