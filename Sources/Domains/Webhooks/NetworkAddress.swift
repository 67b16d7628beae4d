/// An IP address as bytes in network order: 4 of IPv4 or 16 of IPv6.
public struct NetworkAddress: Hashable, Sendable {
    public let bytes: [UInt8]

    /// Returns nil for another count than 4 or 16.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Parses dotted IPv4 with four decimal numbers, or IPv6 (RFC 4291 §2.2) without a zone.
    public init?(_ text: some StringProtocol) {
        guard let bytes = text.contains(":") ? Self.sixteenBytes(text) : Self.fourBytes(text) else { return nil }
        self.bytes = bytes
    }

    /// The IPv4 address inside a mapped, translated or NAT64 address, and otherwise the address itself.
    var unwrapped: NetworkAddress {
        guard Self.wrappings.contains(where: { $0.contains(self) }), let inner = NetworkAddress(bytes: bytes.suffix(4))
        else { return self }
        return inner
    }

    private static let wrappings = ["::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96"].compactMap { NetworkRange($0) }

    private static func fourBytes(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let bytes = parts.compactMap { part -> UInt8? in
            // A leading zero means octal to some parsers.
            guard (1...3).contains(part.utf8.count), part == "0" || !part.hasPrefix("0"),
                part.utf8.allSatisfy({ (48...57).contains($0) })
            else { return nil }
            return UInt8(part)
        }
        return bytes.count == 4 ? bytes : nil
    }

    private static func sixteenBytes(_ text: some StringProtocol) -> [UInt8]? {
        guard let gap = text.firstRange(of: "::") else {
            return groups(text).flatMap { $0.count == 16 ? $0 : nil }
        }
        let head = text[..<gap.lowerBound]
        let tail = text[gap.upperBound...]
        guard !head.contains("."), let first = head.isEmpty ? [] : groups(head),
            let last = tail.isEmpty ? [] : groups(tail), first.count + last.count <= 14
        else { return nil }
        return first + [UInt8](repeating: 0, count: 16 - first.count - last.count) + last
    }

    /// Returns the bytes of groups of hexadecimal digits, the last of which may be dotted IPv4.
    private static func groups(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(".") {
                guard let four = fourBytes(part) else { return nil }
                bytes += four
            } else {
                guard (1...4).contains(part.utf8.count), !part.hasPrefix("+"), let group = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(group >> 8), UInt8(truncatingIfNeeded: group)]
            }
        }
        return bytes
    }
}

/// A range of IP addresses with a common prefix (CIDR, RFC 4632), or one address.
public struct NetworkRange: Hashable, Sendable {
    let base: NetworkAddress
    let prefixBits: Int

    /// Parses an address, or an address and a prefix length such as `10.1.2.0/24`. Bits after the prefix must be zero.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let base = NetworkAddress(parts[0]) else { return nil }
        let size = base.bytes.count * 8
        var prefixBits = size
        if parts.count == 2 {
            guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (48...57).contains($0) }),
                let bits = Int(parts[1]), bits <= size
            else { return nil }
            prefixBits = bits
        }
        for bit in prefixBits..<size {
            let mask: UInt8 = 0x80 >> UInt8(bit % 8)
            guard base.bytes[bit / 8] & mask == 0 else { return nil }
        }
        self.base = base
        self.prefixBits = prefixBits
    }

    /// True if the range is one address.
    var isExact: Bool { prefixBits == base.bytes.count * 8 }

    public func contains(_ address: NetworkAddress) -> Bool {
        guard address.bytes.count == base.bytes.count else { return false }
        let whole = prefixBits / 8
        guard address.bytes[..<whole] == base.bytes[..<whole] else { return false }
        let shift = 8 - prefixBits % 8
        return shift == 8 || address.bytes[whole] >> shift == base.bytes[whole] >> shift
    }
}
