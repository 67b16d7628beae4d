/// The pieces of ASN.1's distinguished encoding rules (X.690) that public keys and ECDSA signatures are made of.
enum DER {
    static func sequence(_ parts: [UInt8]...) -> [UInt8] { tagged(0x30, parts.flatMap(\.self)) }

    /// An unsigned number.
    ///
    /// - Parameter bytes: the most significant first, with any number of zeros before it.
    static func integer(_ bytes: [UInt8]) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        // The first bit is the sign, so a number that starts with a one gets a zero byte before it.
        let isNegative = digits.first.map { $0 >= 0x80 } ?? true
        return tagged(0x02, (isNegative ? [0] : []) + digits)
    }

    /// A string of whole bytes.
    static func bitString(_ bytes: [UInt8]) -> [UInt8] { tagged(0x03, [0] + bytes) }

    /// - Parameter encoded: the arcs of the identifier, encoded already.
    static func objectIdentifier(_ encoded: [UInt8]) -> [UInt8] { tagged(0x06, encoded) }

    static let null: [UInt8] = [0x05, 0x00]

    private static func tagged(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        [tag] + length(contents.count) + contents
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        if count < 0x100 { return [0x81, UInt8(count)] }
        precondition(count < 0x1_0000, "no key or signature is that long")
        return [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
    }
}
