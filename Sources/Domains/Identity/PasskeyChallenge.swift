internal import AlmanacCryptography
internal import AlmanacTimestamps
internal import AlmanacWebAuthn

/// The challenge of a ceremony: 8 random bytes, the expiry in seconds since 1970 in 4 bytes, a hash of the person in 6
/// bytes, and 14 bytes of an HMAC-SHA256 over these and the name of one environment, with that environment's key.
///
/// A server stores no challenge, so that nobody can use up space or displace the challenges of others. The environment,
/// the home of the challenge, stores its use.
struct PasskeyChallenge {
    let bytes: [UInt8]

    /// The time from the beginning of a ceremony to its latest end, in seconds.
    static let lifetime: Int64 = 300

    private static let expiryRange = 8..<12
    private static let subjectRange = 12..<18
    private static let signedCount = 18

    /// - Parameters:
    ///   - random: 8 random bytes.
    ///   - subject: The only person for whom the challenge may register a passkey.
    init(_ random: [UInt8], for subject: String?, until end: Timestamp, home: PasskeyStore.Home) {
        let expiry = UInt32(truncatingIfNeeded: end.milliseconds / 1000)
        let signed = random + Self.bytes(of: expiry) + Self.hash(of: subject)
        bytes = signed + Self.code(of: signed, home)
    }

    /// - Parameter bytes: The challenge that a browser returned, 32 bytes.
    init(returned bytes: [UInt8]) { self.bytes = bytes }

    /// The time until which the challenge can be used.
    var expiresAt: Timestamp {
        let seconds = bytes[Self.expiryRange].reduce(0) { $0 << 8 | Int64($1) }
        return Timestamp(milliseconds: seconds * 1000)
    }

    /// Returns true if the challenge was made by an environment, and can still be used.
    func isMade(by home: PasskeyStore.Home, at now: Timestamp) -> Bool {
        let (signed, code) = (Array(bytes.prefix(Self.signedCount)), Array(bytes.dropFirst(Self.signedCount)))
        return constantTimeEquals(code, Self.code(of: signed, home)) && now < expiresAt
    }

    /// Returns true if the challenge may register a passkey for a person.
    func isMade(for subject: String) -> Bool {
        constantTimeEquals(Array(bytes[Self.subjectRange]), Self.hash(of: subject))
    }

    private static func bytes(of number: UInt32) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }

    /// Returns zeros for nobody.
    private static func hash(of subject: String?) -> [UInt8] {
        guard let subject else { return [UInt8](repeating: 0, count: subjectRange.count) }
        return Array(SHA256.digest(Array(subject.utf8)).prefix(subjectRange.count))
    }

    private static func code(of signed: [UInt8], _ home: PasskeyStore.Home) -> [UInt8] {
        let message = Array("almanac passkey challenge\n\(home.environment)\n".utf8) + signed
        return Array(HMACSHA256.code(of: message, key: home.key).prefix(ClientData.challengeBytes - signedCount))
    }
}
