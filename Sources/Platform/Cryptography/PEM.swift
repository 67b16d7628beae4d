internal import AlmanacCOpenSSL

/// The text form of Ed25519 keys (RFC 7468), as `openssl pkey` reads and writes them.
extension SigningKey {
    /// Reads a private key without a password.
    public convenience init(pem: [UInt8]) throws(KeyFailure) {
        let handle = unsafe MemoryFile(pem).read { file in
            // Without a callback, OpenSSL would ask the terminal for a password.
            unsafe PEM_read_bio_PrivateKey(file, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let handle, handle.isEd25519 else { throw .noKeyInText }
        self.init(handle)
    }

    /// The private key as text, which is a secret.
    public var pem: [UInt8] {
        unsafe MemoryFile.written { file in
            unsafe PEM_write_bio_PKCS8PrivateKey(file, handle.pointer, nil, nil, 0, nil, nil)
        }
    }
}

extension PublicKey {
    public convenience init(ed25519PEM pem: [UInt8]) throws(KeyFailure) {
        let handle = unsafe MemoryFile(pem).read { file in
            unsafe PEM_read_bio_PUBKEY(file, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let handle, handle.isEd25519 else { throw .noKeyInText }
        self.init(.ed25519, handle)
    }

    public var pem: [UInt8] { unsafe MemoryFile.written { file in unsafe PEM_write_bio_PUBKEY(file, handle.pointer) } }
}

@safe private struct MemoryFile: ~Copyable {
    // Safe because the file, a copy of the bytes, is made in `init`, lent for one call at a time, and freed in
    // `deinit`.
    private let file: OpaquePointer

    init(_ contents: [UInt8] = []) {
        guard let file = unsafe BIO_new(BIO_s_secmem()) else { fatalError("out of memory") }
        unsafe self.file = file
        if !contents.isEmpty {
            let count = unsafe BIO_write(file, contents, Int32(contents.count))
            precondition(count == contents.count, "out of memory")
        }
    }

    deinit { unsafe BIO_free_all(file) }

    func read(_ body: (OpaquePointer) -> OpaquePointer?) -> KeyHandle? { unsafe KeyHandle(takingOwnership: body(file)) }

    static func written(_ body: (OpaquePointer) -> Int32) -> [UInt8] {
        let memory = MemoryFile()
        let code = unsafe body(memory.file)
        precondition(code == 1, "a generated key has an encoding")
        let size = unsafe BIO_ctrl_pending(memory.file)
        return unsafe [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
            count = Int(unsafe BIO_read(memory.file, bytes.baseAddress, Int32(size)))
        }
    }
}

/// The subset of ASN.1's distinguished encoding rules (X.690) for public keys and ECDSA signatures.
enum DER {
    static func sequence(_ parts: [UInt8]...) -> [UInt8] { tagged(0x30, parts.flatMap(\.self)) }

    /// Encodes an unsigned number, most significant byte first, with any number of leading zeros.
    static func integer(_ bytes: [UInt8]) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        // The first bit is the sign, so a number whose first bit is 1 gets a leading zero byte.
        let isNegative = digits.first.map { $0 >= 0x80 } ?? true
        return tagged(0x02, (isNegative ? [0] : []) + digits)
    }

    /// Encodes a string of whole bytes.
    static func bitString(_ bytes: [UInt8]) -> [UInt8] { tagged(0x03, [0] + bytes) }

    /// - Parameter encoded: The encoded arcs of the identifier.
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
