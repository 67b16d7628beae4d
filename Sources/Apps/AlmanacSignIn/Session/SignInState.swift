/// Whether somebody is signed in.
public enum SignInState: Sendable, Hashable {
    case signedOut
    case signedIn(Account)
    /// Somebody was, and the provider wants them to sign in again.
    case signInAgain(Account)
}
