/// MurmurHash3, 32-bit variant for x86, as a stream of bytes (Austin Appleby, public domain).
package struct Murmur3 {
    private var state: UInt32
    private var block: UInt32 = 0
    private var length: UInt32 = 0

    package init(seed: UInt32 = 0) { state = seed }

    mutating func add(_ byte: UInt8) {
        block |= UInt32(byte) << ((length & 3) * 8)
        length &+= 1
        guard length & 3 == 0 else { return }
        add(block: block)
        block = 0
    }

    package mutating func add(_ text: String) { self = text.withBytes { [self] in added($0) } }

    mutating func add(_ bytes: Span<UInt8>) { self = added(bytes) }

    private func added(_ bytes: Span<UInt8>) -> Murmur3 {
        var murmur = self
        let pendingBits = (length & 3) * 8
        var index = 0
        while index + 4 <= bytes.count {
            // Safe because four bytes from the index on belong to the text.
            let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt32.self)
            let next = UInt32(littleEndian: word)
            murmur.add(block: murmur.block | next << pendingBits)
            murmur.block = next >> (32 - pendingBits)
            index += 4
        }
        murmur.length &+= UInt32(truncatingIfNeeded: index)
        while index < bytes.count {
            murmur.add(bytes[index])
            index += 1
        }
        return murmur
    }

    private mutating func add(block: UInt32) {
        state ^= Murmur3.mixed(block)
        state = (state << 13 | state >> 19) &* 5 &+ 0xE654_6B64
    }

    package var hash: UInt32 {
        var hash = state
        if length & 3 != 0 { hash ^= Murmur3.mixed(block) }
        hash ^= length
        hash = (hash ^ hash >> 16) &* 0x85EB_CA6B
        hash = (hash ^ hash >> 13) &* 0xC2B2_AE35
        return hash ^ hash >> 16
    }

    private static func mixed(_ block: UInt32) -> UInt32 {
        let product = block &* 0xCC9E_2D51
        return (product << 15 | product >> 17) &* 0x1B87_3593
    }
}
