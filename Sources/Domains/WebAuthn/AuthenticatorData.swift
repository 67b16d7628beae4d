internal import AlmanacCryptography

/// The authenticator's record of a ceremony (Web Authentication Level 3 §6.1).
struct AuthenticatorData {
    /// The number of signatures so far; 0 if the authenticator does not count.
    let counter: UInt32
    /// True if the key may be copied to other devices of its user.
    let isBackupEligible: Bool
    /// The new credential of a registration.
    let credential: (id: [UInt8], key: [UInt8])?

    private static let maxBytes = 4 << 10
    private static let maxIDBytes = 1023

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let userPresent = Flags(rawValue: 1 << 0)
        static let userVerified = Flags(rawValue: 1 << 2)
        static let backupEligible = Flags(rawValue: 1 << 3)
        static let backedUp = Flags(rawValue: 1 << 4)
        static let credential = Flags(rawValue: 1 << 6)
        static let extensions = Flags(rawValue: 1 << 7)
    }

    /// Checks the steps of Web Authentication Level 3 §7.1 and §7.2 about the authenticator data.
    init(_ bytes: [UInt8], of ceremony: Ceremony, at party: RelyingParty) throws(CeremonyFailure) {
        guard (37...Self.maxBytes).contains(bytes.count) else { throw .malformedAuthenticatorData }
        guard constantTimeEquals(Array(bytes[..<32]), SHA256.digest(Array(party.id.utf8))) else {
            throw .wrongRelyingParty
        }
        let flags = Flags(rawValue: bytes[32])
        guard flags.contains(.userPresent) else { throw .userNotPresent }
        guard flags.contains(.userVerified) else { throw .userNotVerified }
        isBackupEligible = flags.contains(.backupEligible)
        guard isBackupEligible || !flags.contains(.backedUp) else { throw .malformedAuthenticatorData }
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var rest = CBORReader(bytes[37...])
        if flags.contains(.credential) {
            // Only a registration makes a credential.
            guard ceremony == .registration else { throw .malformedAuthenticatorData }
            credential = try Self.credential(&rest)
        } else {
            guard ceremony == .signIn else { throw .noCredential }
            credential = nil
        }
        if flags.contains(.extensions) {
            guard rest.skipMap() else { throw .malformedAuthenticatorData }
        }
        guard rest.isAtEnd else { throw .malformedAuthenticatorData }
    }

    /// Reads the attested credential data (Web Authentication Level 3 §6.5.1), whose first 16 bytes name the model.
    private static func credential(_ reader: inout CBORReader) throws(CeremonyFailure) -> (id: [UInt8], key: [UInt8]) {
        guard reader.bytes(16) != nil, let length = reader.bytes(2) else { throw .malformedAuthenticatorData }
        let count = Int(length[0]) << 8 | Int(length[1])
        guard (1...maxIDBytes).contains(count), let id = reader.bytes(count) else { throw .malformedAuthenticatorData }
        guard let key = reader.consumed({ $0.skipMap() }) else { throw .malformedKey }
        return (id, key)
    }
}
