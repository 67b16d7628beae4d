/// What became of the tokens at the provider when a user signed out. On the device they are gone in any case.
public enum Revocation: Sendable, Hashable {
    /// The provider has ended them.
    case done
    /// There was nothing to end, or the provider offers no way to.
    case notOffered
    /// They may be good for some time yet.
    case failed(SignInFailure)
}
