/// The reason why a passkey's registration or sign-in was refused. The descriptions may be shown to the sender.
public enum CeremonyFailure: Error, Equatable, Sendable, CaseIterable {
    case malformedClientData
    case wrongType
    case wrongOrigin
    case crossOrigin
    case malformedAuthenticatorData
    case wrongRelyingParty
    case userNotPresent
    case userNotVerified
    case noCredential
    case malformedKey
    case algorithmRefused
    case wrongSignature
    /// The signature counter did not grow, which a copy of the authenticator can cause.
    case counterWentBack
}

extension CeremonyFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformedClientData: "client_data is not JSON as browsers write it"
        case .wrongType: "client_data belongs to another kind of ceremony"
        case .wrongOrigin: "the ceremony took place at another origin"
        case .crossOrigin: "the ceremony took place in a frame of another origin"
        case .malformedAuthenticatorData: "authenticator_data is not in the form of Web Authentication"
        case .wrongRelyingParty: "the passkey belongs to another host"
        case .userNotPresent: "the authenticator did not notice a user"
        case .userNotVerified:
            "the authenticator did not verify the user; use one with a PIN, a fingerprint or the like"
        case .noCredential: "authenticator_data contains another credential than the given id, or none"
        case .malformedKey: "the credential's public key is not a valid COSE key"
        case .algorithmRefused: "the credential's algorithm is not supported; expected ES256, EdDSA or RS256"
        case .wrongSignature: "the signature is not valid"
        case .counterWentBack: "the passkey's counter did not grow; the authenticator may have been copied"
        }
    }
}
