/// Digests of texts, in Swift because this module also has to run without libraries.
///
/// Almanac uses these digests only to place users as other flag systems do, never to protect anything.
package enum Digest {
    /// Returns the SHA-256 digest (FIPS 180-4) as eight words.
    package static func sha256(_ bytes: Span<UInt8>) -> [UInt32] {
        blocks(of: bytes, isBigEndian: true).reduce(sha256Start) { state, block in
            var words = block
            for index in 16..<64 {
                let (first, last) = (words[index - 15], words[index - 2])
                let low = right(first, 7) ^ right(first, 18) ^ first >> 3
                let high = right(last, 17) ^ right(last, 19) ^ last >> 10
                words.append(words[index - 16] &+ low &+ words[index - 7] &+ high)
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            for index in 0..<64 {
                let choice = (e & f) ^ (~e & g)
                let majority = (a & b) ^ (a & c) ^ (b & c)
                let first =
                    h &+ (right(e, 6) ^ right(e, 11) ^ right(e, 25)) &+ choice &+ sha256Constants[index]
                    &+ words[index]
                let second = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) &+ majority
                (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
            }
            return sums(state, [a, b, c, d, e, f, g, h])
        }
    }

    /// Returns the SHA-1 digest (FIPS 180-4) as five words.
    package static func sha1(_ bytes: Span<UInt8>) -> [UInt32] {
        blocks(of: bytes, isBigEndian: true).reduce(sha1Start) { state, block in
            var words = block
            for index in 16..<80 {
                words.append(
                    left(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
            }
            var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
            for index in 0..<80 {
                let (mixed, constant): (UInt32, UInt32) =
                    switch index / 20 {
                    case 0: ((b & c) | (~b & d), 0x5A82_7999)
                    case 1: (b ^ c ^ d, 0x6ED9_EBA1)
                    case 2: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
                    default: (b ^ c ^ d, 0xCA62_C1D6)
                    }
                (a, b, c, d, e) = (left(a, 5) &+ mixed &+ e &+ constant &+ words[index], a, left(b, 30), c, d)
            }
            return sums(state, [a, b, c, d, e])
        }
    }

    /// Returns the MD5 digest (RFC 1321) as four words, in the order of the hexadecimal text.
    package static func md5(_ bytes: Span<UInt8>) -> [UInt32] {
        let state = blocks(of: bytes, isBigEndian: false).reduce(md5Start) { state, words in
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            for index in 0..<64 {
                let (mixed, word): (UInt32, Int) =
                    switch index / 16 {
                    case 0: ((b & c) | (~b & d), index)
                    case 1: ((d & b) | (~d & c), (5 * index + 1) % 16)
                    case 2: (b ^ c ^ d, (3 * index + 5) % 16)
                    default: (c ^ (b | ~d), 7 * index % 16)
                    }
                let sum = a &+ mixed &+ md5Constants[index] &+ words[word]
                (a, d, c, b) = (d, c, b, b &+ left(sum, md5Shifts[index / 16 * 4 + index % 4]))
            }
            return sums(state, [a, b, c, d])
        }
        return state.map { $0.byteSwapped }
    }

    /// Returns the steps that an evaluation is charged for a digest. A block of 64 bytes takes about as long as eight.
    static func steps(forBytes count: Int) -> Int { 8 * ((count + 8) / 64 + 1) }

    /// Formats a digest as lower-case hexadecimal digits.
    package static func hexadecimal(_ words: [UInt32]) -> String {
        words.reduce(into: "") { text, word in
            for shift in stride(from: UInt32(28), through: 0, by: -4) {
                text += String(word >> shift & 15, radix: 16)
            }
        }
    }

    /// Returns the padded message as blocks of 16 words: the bytes, a one bit, zeros, and the length in bits.
    private static func blocks(of bytes: Span<UInt8>, isBigEndian: Bool) -> [[UInt32]] {
        let count = (bytes.count + 8) / 64 + 1
        var blocks = [[UInt32]](repeating: [UInt32](repeating: 0, count: 16), count: count)
        for index in 0...bytes.count {
            let byte = index < bytes.count ? UInt32(bytes[index]) : 0x80
            let shift = UInt32(8 * (isBigEndian ? 3 - index % 4 : index % 4))
            blocks[index / 64][index % 64 / 4] |= byte << shift
        }
        let bits = UInt64(bytes.count) * 8
        let (high, low) = (UInt32(truncatingIfNeeded: bits >> 32), UInt32(truncatingIfNeeded: bits))
        (blocks[count - 1][14], blocks[count - 1][15]) = isBigEndian ? (high, low) : (low, high)
        return blocks
    }

    private static func left(_ word: UInt32, _ bits: UInt32) -> UInt32 { word << bits | word >> (32 - bits) }

    private static func right(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }

    private static func sums(_ first: [UInt32], _ second: [UInt32]) -> [UInt32] { zip(first, second).map { $0 &+ $1 } }

    private static let md5Start: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]

    private static let sha1Start: [UInt32] = md5Start + [0xC3D2_E1F0]

    private static let sha256Start: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]

    private static let md5Shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

    private static let md5Constants: [UInt32] = [
        0xD76A_A478, 0xE8C7_B756, 0x2420_70DB, 0xC1BD_CEEE, 0xF57C_0FAF, 0x4787_C62A, 0xA830_4613, 0xFD46_9501,
        0x6980_98D8, 0x8B44_F7AF, 0xFFFF_5BB1, 0x895C_D7BE, 0x6B90_1122, 0xFD98_7193, 0xA679_438E, 0x49B4_0821,
        0xF61E_2562, 0xC040_B340, 0x265E_5A51, 0xE9B6_C7AA, 0xD62F_105D, 0x0244_1453, 0xD8A1_E681, 0xE7D3_FBC8,
        0x21E1_CDE6, 0xC337_07D6, 0xF4D5_0D87, 0x455A_14ED, 0xA9E3_E905, 0xFCEF_A3F8, 0x676F_02D9, 0x8D2A_4C8A,
        0xFFFA_3942, 0x8771_F681, 0x6D9D_6122, 0xFDE5_380C, 0xA4BE_EA44, 0x4BDE_CFA9, 0xF6BB_4B60, 0xBEBF_BC70,
        0x289B_7EC6, 0xEAA1_27FA, 0xD4EF_3085, 0x0488_1D05, 0xD9D4_D039, 0xE6DB_99E5, 0x1FA2_7CF8, 0xC4AC_5665,
        0xF429_2244, 0x432A_FF97, 0xAB94_23A7, 0xFC93_A039, 0x655B_59C3, 0x8F0C_CC92, 0xFFEF_F47D, 0x8584_5DD1,
        0x6FA8_7E4F, 0xFE2C_E6E0, 0xA301_4314, 0x4E08_11A1, 0xF753_7E82, 0xBD3A_F235, 0x2AD7_D2BB, 0xEB86_D391,
    ]

    private static let sha256Constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}
