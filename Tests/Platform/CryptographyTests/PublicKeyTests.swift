import AlmanacCryptography
import AlmanacTestSupport
import Testing

@Suite struct PublicKeyTests {
    private static let modulus = [UInt8](repeating: 0xC7, count: 256)

    @Test(arguments: [1024, 2047]) func `an RSA key of less than 2048 bits is refused`(bits: Int) throws {
        let key = try OpenSSLKey(.rsa(bits: bits))
        #expect(throws: KeyFailure.wrongSize(bits: bits, allowed: 2048...8192)) {
            try PublicKey(rsaModulus: key.rsaModulus, exponent: [1, 0, 1])
        }
    }

    @Test func `zeros before the modulus make it no longer`() throws {
        let short = [UInt8](repeating: 0, count: 200) + [UInt8](repeating: 0xC7, count: 128)
        #expect(throws: KeyFailure.wrongSize(bits: 1024, allowed: 2048...8192)) {
            try PublicKey(rsaModulus: short, exponent: [3])
        }
        let key = try OpenSSLKey(.rsa(bits: 2048))
        let same = try PublicKey(rsaModulus: [0, 0] + key.rsaModulus, exponent: [0, 1, 0, 1])
        #expect(try same.fingerprint == PublicKey(rsaModulus: key.rsaModulus, exponent: [1, 0, 1]).fingerprint)
    }

    @Test func `an RSA key longer than anybody needs is refused`() {
        let modulus = [UInt8](repeating: 0xFF, count: 1025)
        #expect(throws: KeyFailure.wrongSize(bits: 8200, allowed: 2048...8192)) {
            try PublicKey(rsaModulus: modulus, exponent: [3])
        }
    }

    @Test(arguments: [[], [0], [1], [2], [1, 0, 0], [1, 0, 0, 0, 1]] as [[UInt8]])
    func `an RSA exponent that is none, even, one or huge is refused`(exponent: [UInt8]) {
        #expect(throws: KeyFailure.malformed) { try PublicKey(rsaModulus: Self.modulus, exponent: exponent) }
    }

    @Test func `an even RSA modulus is refused`() {
        #expect(throws: KeyFailure.malformed) {
            try PublicKey(rsaModulus: Self.modulus.dropLast() + [0xC6], exponent: [1, 0, 1])
        }
    }

    @Test func `a point off the curve is refused`() throws {
        let key = try OpenSSLKey(.p256)
        var y = key.y
        y[31] ^= 1
        #expect(throws: KeyFailure.malformed) { try PublicKey(p256X: key.x, y: y) }
        let zeros = [UInt8](repeating: 0, count: 32)
        let ones = [UInt8](repeating: 0xFF, count: 32)
        #expect(throws: KeyFailure.malformed) { try PublicKey(p256X: zeros, y: zeros) }
        #expect(throws: KeyFailure.malformed) { try PublicKey(p256X: ones, y: ones) }
    }

    @Test(arguments: [0, 31, 33, 64]) func `coordinates and Ed25519 keys of another length are refused`(
        count: Int
    ) throws {
        let key = try OpenSSLKey(.p256)
        let bytes = [UInt8](repeating: 1, count: count)
        #expect(throws: KeyFailure.malformed) { try PublicKey(p256X: bytes, y: key.y) }
        #expect(throws: KeyFailure.malformed) { try PublicKey(p256X: key.x, y: bytes) }
        #expect(throws: KeyFailure.malformed) { try PublicKey(ed25519: bytes) }
    }

    @Test func `fingerprints tell keys apart`() throws {
        let (one, two) = (SigningKey(), SigningKey())
        #expect(one.publicKey.fingerprint == one.publicKey.fingerprint)
        #expect(one.publicKey.fingerprint != two.publicKey.fingerprint)
        #expect(one.publicKey.fingerprint.count == 32)
    }
}
