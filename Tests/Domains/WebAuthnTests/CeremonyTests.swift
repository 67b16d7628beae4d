import AlmanacCryptography
import AlmanacTestSupport
import AlmanacWebAuthn
import Testing

/// The kinds of keys, the client data and the authenticator data that browsers send.
@Suite(.blocking) struct CeremonyTests {
    static let origin = "https://console.example.com:8443"
    static let party = RelyingParty(id: "console.example.com", origin: origin)
    static let challenge = [UInt8](repeating: 7, count: 32)

    /// The passkey of the tests that need only one; making its key takes a moment.
    private static let passkey = Result { try SoftwareAuthenticator() }

    private func register(_ ceremony: PasskeyCeremony) throws -> Credential {
        let client = try ClientData(ceremony.clientData, of: .registration, at: Self.party)
        #expect(client.challenge == ceremony.challenge)
        return try Credential(
            registering: ceremony.credentialID ?? [], client, authenticatorData: ceremony.authenticatorData,
            at: Self.party)
    }

    private func signIn(_ ceremony: PasskeyCeremony, _ signature: [UInt8], with credential: Credential) throws -> UInt32
    {
        try credential.counter(
            signing: ClientData(ceremony.clientData, of: .signIn, at: Self.party),
            authenticatorData: ceremony.authenticatorData, signature: signature, at: Self.party)
    }

    @Test(arguments: [.p256, .ed25519, .rsa(bits: 2048)] as [OpenSSLKey.Kind])
    func `a passkey of each kind is registered and signs in`(kind: OpenSSLKey.Kind) throws {
        var authenticator = try SoftwareAuthenticator(kind, counter: 3)
        let credential = try register(authenticator.creation(Self.challenge, at: Self.origin))
        #expect(credential.id == authenticator.credentialID)
        #expect(credential.counter == 3 && !credential.isBackupEligible)
        authenticator.counter = 4
        let ceremony = authenticator.signIn(Self.challenge, at: Self.origin)
        #expect(try signIn(ceremony, authenticator.signature(of: ceremony), with: credential) == 4)
    }

    @Test func `a synced passkey does not count, and its extensions are skipped`() throws {
        let authenticator = try Self.passkey.get()
        var creation = authenticator.creation(Self.challenge, at: Self.origin)
        creation.flags |= 0x98
        // {"credProtect": 2, "hmac-secret": true}
        creation.end = [0xA2, 0x6B] + Array("credProtect".utf8) + [0x02, 0x6B] + Array("hmac-secret".utf8) + [0xF5]
        creation.crossOrigin = nil
        let credential = try register(creation)
        #expect(credential.isBackupEligible)
        var ceremony = authenticator.signIn(Self.challenge, at: Self.origin)
        ceremony.flags |= 0x18
        for _ in 1...2 {
            #expect(try signIn(ceremony, authenticator.signature(of: ceremony), with: credential) == 0)
        }
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let failure: CeremonyFailure
        let alter: @Sendable (inout PasskeyCeremony, SoftwareAuthenticator) -> Void

        init(
            _ description: String, _ failure: CeremonyFailure,
            _ alter: @escaping @Sendable (inout PasskeyCeremony, SoftwareAuthenticator) -> Void
        ) {
            (testDescription, self.failure, self.alter) = (description, failure, alter)
        }

        /// A fault of the key, whose parameters the test alters.
        static func key(
            _ description: String, _ failure: CeremonyFailure = .malformedKey,
            _ alter: @escaping @Sendable (inout [(Int, CBOR)]) -> Void
        ) -> Fault {
            Fault(description, failure) { ceremony, authenticator in
                var parameters = authenticator.parameters
                alter(&parameters)
                ceremony.key = CBOR.map(parameters)
            }
        }
    }

    /// Faults that both ceremonies may have.
    static let faults: [Fault] = [
        Fault("an origin with another port", .wrongOrigin) { ceremony, _ in
            ceremony.origin = "https://console.example.com"
        },
        Fault("an origin with another scheme", .wrongOrigin) { ceremony, _ in
            ceremony.origin = "http://console.example.com:8443"
        },
        Fault("a subdomain", .wrongOrigin) { ceremony, _ in ceremony.origin = "https://a.console.example.com:8443" },
        Fault("a superdomain", .wrongOrigin) { ceremony, _ in ceremony.origin = "https://example.com:8443" },
        Fault("an origin that begins alike", .wrongOrigin) { ceremony, _ in ceremony.origin += ".evil.example" },
        Fault("an origin in capitals", .wrongOrigin) { ceremony, _ in ceremony.origin = ceremony.origin.uppercased() },
        Fault("a frame of another origin", .crossOrigin) { ceremony, _ in ceremony.crossOrigin = "true" },
        Fault("crossOrigin that is no boolean", .crossOrigin) { ceremony, _ in ceremony.crossOrigin = "\"false\"" },
        Fault("a page above the frame", .crossOrigin) { ceremony, _ in
            ceremony.crossOrigin = "false,\"topOrigin\":\"https://evil.example\""
        },
        Fault("another ceremony", .wrongType) { ceremony, _ in
            ceremony.type = ceremony.type == "webauthn.get" ? "webauthn.create" : "webauthn.get"
        },
        Fault("a payment", .wrongType) { ceremony, _ in ceremony.type = "payment.get" },
        Fault("a challenge that is too short", .malformedClientData) { ceremony, _ in ceremony.challenge.removeLast() },
        Fault("no challenge", .malformedClientData) { ceremony, _ in
            ceremony.clientDataText = "{\"type\":\"\(ceremony.type)\",\"origin\":\"\(ceremony.origin)\"}"
        },
        Fault("client data that is no JSON", .malformedClientData) { ceremony, _ in ceremony.clientDataText = "{" },
        Fault("client data that is no object", .malformedClientData) { ceremony, _ in ceremony.clientDataText = "[]" },
        Fault("client data with a byte order mark", .malformedClientData) { ceremony, _ in
            ceremony.clientDataText = "\u{FEFF}" + String(decoding: ceremony.clientData, as: UTF8.self)
        },
        Fault("a second origin", .malformedClientData) { ceremony, _ in
            ceremony.crossOrigin = "false,\"origin\":\"https://evil.example\""
        },
        Fault("a second type in escapes", .malformedClientData) { ceremony, _ in
            ceremony.crossOrigin = "false,\"\\u0074ype\":\"webauthn.get\""
        },
        Fault("client data of 5,000 bytes", .malformedClientData) { ceremony, _ in
            ceremony.crossOrigin = "false,\"a\":\"" + String(repeating: "a", count: 5000) + "\""
        },
        Fault("the hash of the notes' host", .wrongRelyingParty) { ceremony, _ in
            ceremony.relyingParty = "notes.example.com"
        },
        Fault("the hash of the host with its port", .wrongRelyingParty) { ceremony, _ in
            ceremony.relyingParty = "console.example.com:8443"
        },
        Fault("no user present", .userNotPresent) { ceremony, _ in ceremony.flags &= ~1 },
        Fault("a user who is not verified", .userNotVerified) { ceremony, _ in ceremony.flags &= ~4 },
        Fault("a backup of a key that allows none", .malformedAuthenticatorData) { ceremony, _ in ceremony.flags |= 0x10
        },
        Fault("extensions that are missing", .malformedAuthenticatorData) { ceremony, _ in ceremony.flags |= 0x80 },
        Fault("extensions without their flag", .malformedAuthenticatorData) { ceremony, _ in ceremony.end = [0xA0] },
        Fault("extensions that are no map", .malformedAuthenticatorData) { ceremony, _ in
            ceremony.flags |= 0x80
            ceremony.end = [0x80]
        },
        Fault("extensions nested too deep", .malformedAuthenticatorData) { ceremony, _ in
            ceremony.flags |= 0x80
            ceremony.end = [0xA1, 0x00, 0x81, 0x81, 0x81, 0x81, 0x00]
        },
        Fault("an extension of 4 GiB", .malformedAuthenticatorData) { ceremony, _ in
            ceremony.flags |= 0x80
            ceremony.end = [0xA1, 0x00, 0x5A, 0xFF, 0xFF, 0xFF, 0xFF]
        },
        Fault("an extension with four billion elements", .malformedAuthenticatorData) { ceremony, _ in
            ceremony.flags |= 0x80
            ceremony.end = [0xA1, 0x00, 0x9A, 0xFF, 0xFF, 0xFF, 0xFF]
        },
        Fault("36 bytes", .malformedAuthenticatorData) { ceremony, _ in ceremony.cutAt = 36 },
        Fault("5,000 bytes", .malformedAuthenticatorData) { ceremony, _ in
            ceremony.end = [UInt8](repeating: 0, count: 5000)
        },
    ]

    @Test(arguments: faults) func `a faulty ceremony of either kind is refused`(fault: Fault) throws {
        let authenticator = try Self.passkey.get()
        var creation = authenticator.creation(Self.challenge, at: Self.origin)
        let credential = try register(creation)
        fault.alter(&creation, authenticator)
        #expect(throws: fault.failure) { try register(creation) }
        var ceremony = authenticator.signIn(Self.challenge, at: Self.origin)
        fault.alter(&ceremony, authenticator)
        let signature = try authenticator.signature(of: ceremony)
        #expect(throws: fault.failure) { try signIn(ceremony, signature, with: credential) }
    }

    /// Faults of new credentials.
    static let credentialFaults: [Fault] = [
        Fault("no credential", .noCredential) { ceremony, _ in
            ceremony.flags &= ~0x40
            ceremony.credentialID = nil
        },
        Fault("a credential that is missing", .malformedAuthenticatorData) { ceremony, _ in ceremony.credentialID = nil
        },
        Fault("an id of no bytes", .malformedAuthenticatorData) { ceremony, _ in ceremony.credentialID = [] },
        Fault("an id of 1,024 bytes", .malformedAuthenticatorData) { ceremony, _ in
            ceremony.credentialID = [UInt8](repeating: 1, count: 1024)
        },
        Fault("an id that is cut off", .malformedAuthenticatorData) { ceremony, _ in ceremony.cutAt = 60 },
        Fault("a key that is cut off", .malformedKey) { ceremony, _ in
            ceremony.cutAt = ceremony.authenticatorData.count - 1
        },
        Fault("a byte after the key", .malformedAuthenticatorData) { ceremony, _ in ceremony.end = [0] },
        Fault("a map of indefinite length", .malformedKey) { ceremony, _ in
            ceremony.key = [0xBF] + ceremony.key!.dropFirst() + [0xFF]
        },
        Fault("a map with more members than it has", .malformedKey) { ceremony, _ in ceremony.key![0] += 1 },
        Fault("an array instead of the key", .malformedKey) { ceremony, _ in ceremony.key = [0x81, 0x00] },
        .key("a string of indefinite length") {
            $0[3].1 = .encoded([0x5F] + CBOR.bytes([UInt8](repeating: 1, count: 32)).encoded + [0xFF])
        },
        .key("a number in a longer form") { $0[0].1 = .encoded([0x18, 0x02]) },
        .key("a type that is a float") { $0[0].1 = .encoded([0xF9, 0x40, 0x00]) },
        .key("a type that is a text") { $0[0].1 = .encoded([0x63] + Array("EC2".utf8)) },
        .key("a tag") { $0[0].1 = .encoded([0xC0, 0x02]) },
        .key("a parameter twice") { $0[1] = $0[0] },
        .key("parameters in another order") { $0.swapAt(3, 4) },
        .key("one parameter more") { $0.append((-4, .bytes([1]))) },
        .key("one parameter less") { $0.removeLast() },
        .key("the type of Ed25519") { $0[0].1 = 1 },
        .key("the curve P-384") { $0[2].1 = 2 },
        .key("a point that is not on the curve") { $0[4].1 = .bytes([UInt8](repeating: 1, count: 32)) },
        .key("a coordinate of 31 bytes") { $0[3].1 = .bytes([UInt8](repeating: 1, count: 31)) },
        .key("a sign instead of a coordinate") { $0[4].1 = .encoded([0xF5]) },
        .key("ES384", .algorithmRefused) { $0[1].1 = -35 },
        .key("ES256K", .algorithmRefused) { $0[1].1 = -47 },
        .key("RS1", .algorithmRefused) { $0[1].1 = .integer(-65535) },
        .key("no algorithm", .algorithmRefused) { $0[1].1 = 0 },
        .key("the algorithm of Ed25519") { $0[1].1 = -8 },
        Fault("RSA with 1,024 bits", .malformedKey) { ceremony, _ in ceremony.key = rsa(bytes: 128) },
        Fault("RSA with 8,192 bits", .malformedKey) { ceremony, _ in ceremony.key = rsa(bytes: 1024) },
        Fault("RSA with an even modulus", .malformedKey) { ceremony, _ in ceremony.key = rsa(bytes: 256, last: 0xC8) },
    ]

    private static func rsa(bytes: Int, last: UInt8 = 0xC7) -> [UInt8] {
        let modulus = [UInt8](repeating: 0xC7, count: bytes - 1) + [last]
        return CBOR.map([(1, 3), (3, -257), (-1, .bytes(modulus)), (-2, .bytes([1, 0, 1]))])
    }

    @Test(arguments: credentialFaults) func `a faulty credential is refused`(fault: Fault) throws {
        let authenticator = try Self.passkey.get()
        var creation = authenticator.creation(Self.challenge, at: Self.origin)
        fault.alter(&creation, authenticator)
        #expect(throws: fault.failure) { try register(creation) }
    }

    @Test func `a registration with another id than the page's is refused`() throws {
        let ceremony = try Self.passkey.get().creation(Self.challenge, at: Self.origin)
        let client = try ClientData(ceremony.clientData, of: .registration, at: Self.party)
        #expect(throws: CeremonyFailure.noCredential) {
            try Credential(
                registering: [1], client, authenticatorData: ceremony.authenticatorData, at: Self.party)
        }
    }

    @Test func `a signature of other data, by another key or in another form is refused`() throws {
        let authenticator = try Self.passkey.get()
        let credential = try register(authenticator.creation(Self.challenge, at: Self.origin))
        let ceremony = authenticator.signIn(Self.challenge, at: Self.origin)
        let signature = try authenticator.signature(of: ceremony)
        var other = ceremony
        other.challenge[0] ^= 1
        var counted = ceremony
        counted.counter = 1
        #expect(try signIn(ceremony, signature, with: credential) == 0)
        for (ceremony, signature) in [
            (other, signature), (counted, signature), (ceremony, []), (ceremony, signature + [0]),
            (ceremony, Array(signature.dropLast())), (ceremony, [UInt8](repeating: 1, count: 64)),
            (ceremony, try SoftwareAuthenticator().signature(of: ceremony)),
        ] {
            #expect(throws: CeremonyFailure.wrongSignature) { try signIn(ceremony, signature, with: credential) }
        }
    }

    @Test func `a sign-in that makes a credential or changes its backup is refused`() throws {
        let authenticator = try Self.passkey.get()
        let creation = authenticator.creation(Self.challenge, at: Self.origin)
        let credential = try register(creation)
        var withCredential = authenticator.signIn(Self.challenge, at: Self.origin)
        withCredential.flags |= 0x40
        (withCredential.credentialID, withCredential.key) = (creation.credentialID, creation.key)
        var eligible = authenticator.signIn(Self.challenge, at: Self.origin)
        eligible.flags |= 0x08
        for ceremony in [withCredential, eligible] {
            let signature = try authenticator.signature(of: ceremony)
            #expect(throws: CeremonyFailure.malformedAuthenticatorData) {
                try signIn(ceremony, signature, with: credential)
            }
        }
    }

    @Test(arguments: [(5, 5), (5, 4), (5, 0), (1, 0)] as [(UInt32, UInt32)])
    func `a counter that does not grow is refused`(stored: UInt32, sent: UInt32) throws {
        var authenticator = try Self.passkey.get()
        authenticator.counter = stored
        let credential = try register(authenticator.creation(Self.challenge, at: Self.origin))
        authenticator.counter = sent
        let ceremony = authenticator.signIn(Self.challenge, at: Self.origin)
        let signature = try authenticator.signature(of: ceremony)
        #expect(throws: CeremonyFailure.counterWentBack) { try signIn(ceremony, signature, with: credential) }
    }
}
