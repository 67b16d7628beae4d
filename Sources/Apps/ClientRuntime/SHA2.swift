/// SHA-256 (FIPS 180-4) of a message that arrives in parts, so that an app needs no cryptography library.
package struct SHA2: Sendable {
    private var hash: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// The bytes after the last complete block, fewer than 64.
    private var rest: [UInt8] = []
    private var byteCount: UInt64 = 0
    /// The message schedule of a block, kept to save its allocation.
    private var words = [UInt32](repeating: 0, count: 64)

    package init() {}

    package static func digest(_ message: [UInt8]) -> [UInt8] {
        var hash = SHA2()
        hash.add(message)
        return hash.digest
    }

    /// Adds bytes to the message.
    package mutating func add(_ bytes: [UInt8]) {
        byteCount += UInt64(bytes.count)
        var start = 0
        if !rest.isEmpty {
            start = min(64 - rest.count, bytes.count)
            rest += bytes[..<start]
            guard rest.count == 64 else { return }
            addBlock(of: rest, at: 0)
            rest.removeAll(keepingCapacity: true)
        }
        while start + 64 <= bytes.count {
            addBlock(of: bytes, at: start)
            start += 64
        }
        rest += bytes[start...]
    }

    /// The hash of the message so far.
    package var digest: [UInt8] {
        let length = byteCount * 8
        var padded = self
        padded.add([0x80] + Array(repeating: 0, count: (119 - rest.count) % 64))
        padded.add((0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * UInt64($0))) })
        return padded.hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    /// Adds a block of 64 bytes to the hash (§6.2.2).
    private mutating func addBlock(of bytes: [UInt8], at start: Int) {
        for index in 0..<16 {
            let first = start + 4 * index
            words[index] =
                UInt32(bytes[first]) << 24 | UInt32(bytes[first + 1]) << 16 | UInt32(bytes[first + 2]) << 8
                | UInt32(bytes[first + 3])
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            words[index] =
                words[index - 16] &+ (Self.turned(early, 7) ^ Self.turned(early, 18) ^ early >> 3)
                &+ words[index - 7] &+ (Self.turned(late, 17) ^ Self.turned(late, 19) ^ late >> 10)
        }
        var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
        var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
        let constants = Self.constants
        for index in 0..<64 {
            let choice = (e & f) ^ (~e & g)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let one =
                h &+ (Self.turned(e, 6) ^ Self.turned(e, 11) ^ Self.turned(e, 25)) &+ choice &+ constants[index]
                &+ words[index]
            let two = (Self.turned(a, 2) ^ Self.turned(a, 13) ^ Self.turned(a, 22)) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ one, c, b, a, one &+ two)
        }
        hash[0] &+= a
        hash[1] &+= b
        hash[2] &+= c
        hash[3] &+= d
        hash[4] &+= e
        hash[5] &+= f
        hash[6] &+= g
        hash[7] &+= h
    }

    private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (§4.2.2).
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension Sequence<UInt8> {
    /// The bytes as lower-case hexadecimal digits, two for each byte.
    package var hexadecimal: String {
        map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}
