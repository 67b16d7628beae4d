/// A failure to sign in or to get a token. The failure contains no token, code or verifier.
///
/// If the user has to sign in, ``SignInRequired`` is thrown instead.
public enum SignInFailure: Error, Sendable, Hashable {
    /// The response is missing or incomplete. The stored tokens are unchanged.
    case unreachable(String)
    /// The response is not a valid response of an OpenID Connect provider; contains the expected form.
    case unexpectedResponse(String)
    /// The provider refused the request; `error` is its OAuth error code, such as `invalid_client`, if there is one.
    case refused(status: Int, error: String?)
    /// The user or the provider refused on the sign-in page; contains the code, such as `access_denied`.
    case denied(String)
    /// The callback does not belong to the request: another `state`, another issuer or no code.
    case wrongCallback(String)
    /// The ID token is not for this sign-in; contains the mismatch.
    case wrongIDToken(String)
    /// An option is invalid, for example an issuer without HTTPS.
    case setting(String)
    /// The storage could not be read or written.
    case storage(String)
    /// The response did not arrive before the deadline.
    case timedOut
    /// The user closed the browser, or the waiting task was cancelled.
    case cancelled
}

extension SignInFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreachable(let reason): "the identity provider could not be reached: \(reason)"
        case .unexpectedResponse(let what): "unexpected response from the identity provider: \(what)"
        case .refused(let status, let error):
            "the identity provider refused: status \(status)\(error.map { ", \($0)" } ?? "")"
        case .denied(let error): "the sign-in was refused: \(error)"
        case .wrongCallback(let what): "the callback does not belong to this sign-in: \(what)"
        case .wrongIDToken(let what): "the ID token is not for this sign-in: \(what)"
        case .setting(let what): what
        case .storage(let what): "the sign-in could not be stored or read: \(what)"
        case .timedOut: "the sign-in timed out"
        case .cancelled: "the sign-in was cancelled"
        }
    }
}
