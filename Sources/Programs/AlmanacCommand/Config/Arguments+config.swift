internal import AlmanacClient
internal import AlmanacPOSIX

extension Arguments {
    /// The environment that is asked.
    ///
    /// - Parameter writes: whether it takes a token in any case.
    func remote(writes: Bool = false) throws -> RemoteEnvironment {
        try remote(try Settings.profile(self), writes: writes)
    }

    /// The environment of a profile. Where no token file is named, it is asked as who has signed in.
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
            // What anybody may read can be read all the same.
            Process.report("almanac: going on without the sign-in: \(error)")
            return nil
        }
    }

    /// What is to stand in the history.
    func message() throws(UsageFailure) -> String? {
        guard let message = option(Option.message.name) else { return nil }
        guard message.utf8.count <= 1024, !message.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
        else { throw UsageFailure("--message must be one line of at most 1024 bytes") }
        return message
    }

    /// A whole number given for an option.
    func number(_ name: String, in range: ClosedRange<Int64>) throws(UsageFailure) -> String? {
        guard let text = option(name) else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw UsageFailure("\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return String(number)
    }

    /// A revision or cursor given for `--at`.
    func at() throws(UsageFailure) -> String? {
        guard let text = option(Option.at.name) else { return nil }
        try Arguments.checkRevision(text)
        return text
    }

    static func checkRevision(_ text: String) throws(UsageFailure) {
        guard text.wholeMatch(of: /[0-9]{1,18}(\.[a-z0-9]{4,16})?/) != nil else {
            throw UsageFailure("'\(text)' is no revision; expected a whole number, such as 43")
        }
    }

    static func checkKey(_ text: String) throws(UsageFailure) {
        guard text.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_.\-]{0,127}/) != nil else {
            throw UsageFailure(
                "'\(text)' is no key; expected a letter or underscore, then letters, digits, _, . and -, 128 at most")
        }
    }
}
