internal import AlmanacCOpenSSL

/// Ed25519 keys as text (RFC 7468), as `openssl pkey` reads and writes them.
extension SigningKey {
    /// Reads a private key that no password protects.
    public convenience init(pem: [UInt8]) throws(KeyFailure) {
        let handle = unsafe MemoryFile(pem).read { file in
            // With a callback of its own OpenSSL doesn't ask the terminal for a password.
            unsafe PEM_read_bio_PrivateKey(file, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let handle, handle.isEd25519 else { throw .noKeyInText }
        self.init(handle)
    }

    /// The private key as text: a secret.
    public var pem: [UInt8] {
        unsafe MemoryFile.written { file in
            unsafe PEM_write_bio_PKCS8PrivateKey(file, handle.pointer, nil, nil, 0, nil, nil)
        }
    }
}

extension PublicKey {
    /// Reads a public Ed25519 key.
    public convenience init(ed25519PEM pem: [UInt8]) throws(KeyFailure) {
        let handle = unsafe MemoryFile(pem).read { file in
            unsafe PEM_read_bio_PUBKEY(file, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let handle, handle.isEd25519 else { throw .noKeyInText }
        self.init(.ed25519, handle)
    }

    /// The key as text.
    public var pem: [UInt8] {
        unsafe MemoryFile.written { file in unsafe PEM_write_bio_PUBKEY(file, handle.pointer) }
    }
}

/// A file in memory, for OpenSSL to read from or write to.
@safe private struct MemoryFile: ~Copyable {
    // Safe because the file is made in `init`, lent to no one for longer than a call, and freed in `deinit`. It holds
    // copies of the bytes.
    private let file: OpaquePointer

    init(_ contents: [UInt8] = []) {
        guard let file = unsafe BIO_new(BIO_s_secmem()) else { fatalError("out of memory") }
        unsafe self.file = file
        if !contents.isEmpty {
            let count = unsafe BIO_write(file, contents, Int32(contents.count))
            precondition(count == contents.count, "out of memory")
        }
    }

    deinit {
        unsafe BIO_free_all(file)
    }

    func read(_ body: (OpaquePointer) -> OpaquePointer?) -> KeyHandle? {
        unsafe KeyHandle(takingOwnership: body(file))
    }

    static func written(_ body: (OpaquePointer) -> Int32) -> [UInt8] {
        let memory = MemoryFile()
        let code = unsafe body(memory.file)
        precondition(code == 1, "a key that was made has an encoding")
        let size = unsafe BIO_ctrl_pending(memory.file)
        return unsafe [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
            count = Int(unsafe BIO_read(memory.file, bytes.baseAddress, Int32(size)))
        }
    }
}

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
