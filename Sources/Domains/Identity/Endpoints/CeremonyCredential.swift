internal import AlmanacCryptography
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacWebAuthn

/// The result of `navigator.credentials.create()`.
struct Registration {
    let challenge: PasskeyChallenge
    let transports: [String]
    let label: String
    private let client: ClientData
    private let id: [UInt8]
    private let authenticatorData: [UInt8]

    init(_ ceremony: CeremonyRequest) throws(Problem) {
        let credential = try Self.credential(
            ceremony, "id", "client_data", "authenticator_data", "transports")
        id = try credential.bytes("id")
        let clientData = try credential.bytes("client_data")
        authenticatorData = try credential.bytes("authenticator_data")
        transports = try Self.transports(credential["transports"])
        label = try Self.label(ceremony.object["label"])
        do { client = try ClientData(clientData, of: .registration, at: ceremony.origin.party) } catch {
            throw Problem(error)
        }
        challenge = PasskeyChallenge(returned: client.challenge)
    }

    fileprivate static func credential(
        _ ceremony: CeremonyRequest, _ allowed: String...
    ) throws(Problem) -> JSONObject {
        guard let member = ceremony.object["credential"] else {
            throw Problem(.invalidValue, "'credential' is missing; expected an object")
        }
        return try member.members(allowed)
    }

    private static func transports(_ member: JSONValue?) throws(Problem) -> [String] {
        guard let elements = (member ?? []).arrayValue, elements.count <= 8 else {
            throw Problem(.invalidValue, "'transports' must be an array of at most 8 texts")
        }
        return try elements.map { element throws(Problem) in
            guard let text = element.stringValue, text.wholeMatch(of: /[a-z\-]{1,32}/) != nil else {
                throw Problem(.invalidValue, "'transports' must contain words such as usb, nfc, internal")
            }
            return text
        }
    }

    private static func label(_ member: JSONValue?) throws(Problem) -> String {
        guard let label = (member ?? "Passkey").stringValue, (1...100).contains(label.unicodeScalars.count),
            !label.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
        else { throw Problem(.invalidValue, "'label' must have 1 to 100 characters on one line") }
        return label
    }

    /// Checks the registration. The caller checks that the challenge is unused and recent.
    ///
    /// - Parameter subject: The person who gets the passkey.
    func credential(for subject: String, at origin: ConsoleOrigin) throws(Problem) -> Credential {
        guard challenge.isMade(for: subject) else {
            throw Problem(.passkeyRefused, "the challenge was made for another person; request another challenge")
        }
        do {
            return try Credential(registering: id, client, authenticatorData: authenticatorData, at: origin.party)
        } catch { throw Problem(error) }
    }
}

/// The result of `navigator.credentials.get()`.
struct Assertion {
    let id: [UInt8]
    let challenge: PasskeyChallenge
    private let client: ClientData
    private let authenticatorData: [UInt8]
    private let signature: [UInt8]
    private let userHandle: [UInt8]

    init(_ ceremony: CeremonyRequest) throws(Problem) {
        let credential = try Registration.credential(
            ceremony, "id", "client_data", "authenticator_data", "signature", "user_handle")
        id = try credential.bytes("id")
        let clientData = try credential.bytes("client_data")
        authenticatorData = try credential.bytes("authenticator_data")
        signature = try credential.bytes("signature")
        userHandle = try credential.bytes("user_handle")
        do { client = try ClientData(clientData, of: .signIn, at: ceremony.origin.party) } catch {
            throw Problem(error)
        }
        challenge = PasskeyChallenge(returned: client.challenge)
    }

    /// Checks the signature, and returns the new counter of the passkey.
    func counter(
        _ passkey: PasskeyRecord, _ person: PasskeyPerson, at origin: ConsoleOrigin
    ) throws -> UInt32 {
        guard constantTimeEquals(userHandle, Base64URL.decode(person.user.subject) ?? []) else {
            throw Problem(.passkeyRefused, "'user_handle' belongs to another person than the passkey")
        }
        return try passkey.credential.counter(
            signing: client, authenticatorData: authenticatorData, signature: signature, at: origin.party)
    }
}

extension ConsoleOrigin {
    fileprivate var party: RelyingParty { RelyingParty(id: host, origin: text) }
}

extension JSONObject {
    /// Returns the bytes of a member in base64url without padding.
    fileprivate func bytes(_ name: String) throws(Problem) -> [UInt8] {
        guard let bytes = self[name]?.stringValue.flatMap(Base64URL.decode) else {
            throw Problem(.invalidValue, "'\(name)' must be a text in base64url without padding")
        }
        return bytes
    }
}
