internal import AlmanacClient
internal import AlmanacPOSIX

extension Arguments {
    /// The environment that is asked.
    ///
    /// - Parameter writes: whether it takes a token in any case.
    func remote(writes: Bool = false) throws -> RemoteEnvironment {
        try remote(try Settings.profile(self), writes: writes)
    }

    /// The environment of a profile. Where no token file is named, it is asked as the user who has signed in.
    func remote(_ profile: Profile, writes: Bool) throws -> RemoteEnvironment {
        try RemoteEnvironment(
            profile, login: profile.tokenFile == nil ? try login(profile, isNeeded: writes) : nil, needsToken: writes)
    }

    private func login(_ profile: Profile, isNeeded: Bool) throws -> BearerToken? {
        guard let address = try? EnvironmentAddress(profile), let path = Settings.profilePath(self) else { return nil }
        do {
            return try UserLogin(address, profile, profileFile: path).token()
        } catch {
            if isNeeded { throw error }
            // The config of many environments can be read without a token.
            Process.report("almanac: going on without the sign-in: \(error)")
            return nil
        }
    }
}
