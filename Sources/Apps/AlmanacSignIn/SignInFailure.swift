/// Why a sign-in, or a token of one, is not to be had at the moment. Never holds a token, a code or a verifier.
///
/// Where there is no way to a token but that the user signs in, ``SignInRequired`` is thrown instead.
public enum SignInFailure: Error, Sendable, Hashable {
    /// No answer, or only part of one. What is stored stays.
    case unreachable(String)
    /// Something answered that is not what an OpenID Connect provider says there; tells what was expected.
    case unexpectedAnswer(String)
    /// The provider refused; `error` is its code, such as `invalid_client`, where it gave one.
    case refused(status: Int, error: String?)
    /// The user or the provider said no on the sign-in page; a code such as `access_denied`.
    case denied(String)
    /// The answer that came back to the app is not that to the request: another `state`, another issuer, no code.
    case wrongCallback(String)
    /// The ID token is not for this sign-in; tells what doesn't fit.
    case wrongIDToken(String)
    /// An address that a password should not be typed at, or a setting that cannot be.
    case setting(String)
    /// The tokens could not be read or written.
    case storage(String)
    /// The time was over before an answer came.
    case timedOut
    /// The user closed the browser, or the task that waited was cancelled.
    case cancelled
}

extension SignInFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreachable(let reason): "the identity provider could not be reached: \(reason)"
        case .unexpectedAnswer(let what): "this is not the answer of an identity provider: \(what)"
        case .refused(let status, let error):
            "the identity provider refused: status \(status)\(error.map { ", \($0)" } ?? "")"
        case .denied(let error): "the sign-in was refused: \(error)"
        case .wrongCallback(let what): "the answer does not belong to this sign-in: \(what)"
        case .wrongIDToken(let what): "the ID token is not for this sign-in: \(what)"
        case .setting(let what): what
        case .storage(let what): "the sign-in could not be stored or read: \(what)"
        case .timedOut: "no answer came in time"
        case .cancelled: "the sign-in was cancelled"
        }
    }
}
