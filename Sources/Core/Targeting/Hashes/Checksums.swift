/// Checksums of 32 bits that other flag systems use to place users.
package enum Checksums {
    /// Returns the FNV-1a hash of units of a text, such as bytes or UTF-16 code units.
    package static func fnv1a(_ units: some Sequence<some UnsignedInteger>) -> UInt32 {
        units.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    /// Returns the CRC-32 of bytes (ISO 3309, the polynomial of zip and Ethernet).
    package static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
        }
        return ~crc
    }
}
