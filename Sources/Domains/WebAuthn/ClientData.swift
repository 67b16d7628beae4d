internal import AlmanacCryptography
internal import AlmanacJSON

/// The two ceremonies of Web Authentication, by the types of their client data (Web Authentication Level 3 §5.8.1).
public enum Ceremony: String, Sendable {
    case registration = "webauthn.create"
    case signIn = "webauthn.get"
}

/// The server of a ceremony, at whose pages alone its passkeys work (Web Authentication Level 3 §4).
public struct RelyingParty: Equatable, Sendable {
    /// The host without a port.
    public let id: String
    /// The origin of the pages: `https://console.example.com:8443`.
    public let origin: String

    public init(id: String, origin: String) {
        self.id = id
        self.origin = origin
    }
}

/// The browser's record of a ceremony, which the authenticator signs (Web Authentication Level 3 §5.8.1).
public struct ClientData: Sendable {
    /// The 32 bytes that the server sent for this ceremony. The caller checks that they are unused and recent.
    public let challenge: [UInt8]
    let hash: [UInt8]

    /// The number of bytes of a challenge.
    public static let challengeBytes = 32

    private static let limits: JSONLimits = {
        var limits = JSONLimits()
        limits.bytes = 4 << 10
        limits.depth = 4
        limits.members = 32
        limits.values = 64
        return limits
    }()

    /// Checks the steps of Web Authentication Level 3 §7.1 and §7.2 about the client data.
    public init(
        _ bytes: [UInt8], of ceremony: Ceremony, at party: RelyingParty
    ) throws(CeremonyFailure) {
        // The parser refuses duplicate members and a byte order mark.
        guard let object = try? JSONValue(parsing: bytes, limits: Self.limits).objectValue,
            let type = object["type"]?.stringValue, let origin = object["origin"]?.stringValue,
            let challenge = object["challenge"]?.stringValue.flatMap(Base64URL.decode),
            challenge.count == Self.challengeBytes
        else { throw .malformedClientData }
        guard type.utf8.elementsEqual(ceremony.rawValue.utf8) else { throw .wrongType }
        guard origin.utf8.elementsEqual(party.origin.utf8) else { throw .wrongOrigin }
        guard (object["crossOrigin"] ?? false) == false, object["topOrigin"] == nil else { throw .crossOrigin }
        self.challenge = challenge
        hash = SHA256.digest(bytes)
    }
}
