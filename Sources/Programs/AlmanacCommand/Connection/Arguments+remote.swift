internal import AlmanacClient
internal import AlmanacEnvironments
internal import AlmanacPOSIX

extension Arguments {
    /// Returns the environment of the command line.
    ///
    /// - Parameter writes: true if a token is required.
    func remote(writes: Bool = false) throws -> RemoteEnvironment {
        try remote(try Settings.profile(self), writes: writes)
    }

    /// Returns the environment of a profile. Without a token file, the stored sign-in of the user is used.
    func remote(_ profile: Profile, writes: Bool) throws -> RemoteEnvironment {
        let hasTold = Monitor(false)
        var remote = try RemoteEnvironment(
            profile, login: profile.tokenFile == nil ? try login(profile, isNeeded: writes) : nil, needsToken: writes
        ) {
            let isFirst = hasTold.update { hasTold in
                defer { hasTold = true }
                return !hasTold
            }
            guard isFirst else { return }
            Process.report(
                "almanac: the database of '\(profile.environment ?? "")' is unreachable, so the output may be stale")
        }
        remote.proposes = has(Option.propose.name)
        return remote
    }

    private func login(_ profile: Profile, isNeeded: Bool) throws -> BearerToken? {
        guard let address = try? EnvironmentAddress(profile), let path = Settings.profilePath(self) else { return nil }
        do {
            return try UserLogin(address, profile, profileFile: path).token()
        } catch {
            if isNeeded { throw error }
            // The config of many environments can be read without a token.
            Process.report("almanac: continuing without the sign-in: \(error)")
            return nil
        }
    }

    /// The environments known on this machine: from profiles, the environments file and the names of token files.
    var knownEnvironments: [String] {
        var names: [String] = []
        if let path = Settings.profilePath(self), let file = try? ProfileFile(path) {
            for (name, profile) in file.profiles { names += [name] + (profile.environment.map { [$0] } ?? []) }
        }
        names += ((try? EnvironmentsFile.load(Settings.environmentsFile, for: .worker)) ?? []).map(\.name.text)
        let parts = ((try? Settings.profile(self))?.tokenFile ?? "").split(
            separator: "/", omittingEmptySubsequences: false)
        let mark = "{environment}"
        if let last = parts.last, let range = last.firstRange(of: mark), parts.count > 1 {
            let files = (try? File.names(inFolder: parts.dropLast().joined(separator: "/"))) ?? []
            let (before, after) = (last[..<range.lowerBound], last[range.upperBound...])
            names += files.filter { $0.hasPrefix(before) && $0.hasSuffix(after) }
                .map { String($0.dropFirst(before.count).dropLast(after.count)) }
        }
        return names
    }
}
