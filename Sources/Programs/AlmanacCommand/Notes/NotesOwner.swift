internal import AlmanacClient
internal import AlmanacNotes
internal import AlmanacSignIn

/// The user whose notes a command works on, with the user's tokens.
struct NotesOwner: Sendable {
    let account: UserAccount
    /// The exit status if the server or the provider no longer accepts the user's token.
    let refusal: ExitStatus
    let tokens: any TokenProvider

    /// Finds the user: by the token file chosen for this command, else by the stored sign-in, else by the profile's
    /// token file. An API token has no user, so it is ignored.
    init(_ arguments: Arguments, _ profile: Profile, _ address: EnvironmentAddress) throws {
        let named = Settings.namedTokenFile(arguments, profile)
        if let named, let owner = try Self(tokenFile: named, address) {
            self = owner
        } else if let path = Settings.profilePath(arguments),
            let owner = try Self(UserLogin(address, profile, profileFile: path))
        {
            self = owner
        } else if named == nil, let path = profile.tokenFile, let owner = try Self(tokenFile: path, address) {
            self = owner
        } else {
            throw CallFailure(
                notAllowed:
                    "notes belong to users, and nobody has signed in; run 'almanac login', or give a user's token "
                    + "with --token-file or ALMANAC_TOKEN_FILE"
                    + (profile.tokenFile == nil ? "" : ", not an API token"))
        }
    }

    private init?(_ login: UserLogin) throws {
        guard let signIn = try login.stored() else { return nil }
        account = signIn.account
        refusal = .signInAgain
        tokens = login.session(of: signIn)
    }

    private init?(tokenFile path: String, _ address: EnvironmentAddress) throws {
        let token = try BearerToken(file: path.replacing("{environment}", with: address.name))
        if token.environment != nil { return nil }
        // The claims are unverified, which is safe because they only select a local file.
        guard let account = UserAccount(accessToken: token.text), !account.subject.isEmpty else {
            throw CallFailure(
                notAllowed: "the token in \(path) names no user; expected a user's token, with iss and sub")
        }
        self.account = account
        refusal = .notAllowed
        tokens = FixedToken(token.text)
    }
}
