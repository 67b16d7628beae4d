internal import AlmanacClient
internal import AlmanacPOSIX

/// The settings of a command. Options take precedence over variables, a profile, and defaults, in this order.
enum Settings {
    static var environmentsFile: String { Process.variable("ALMANAC_ENVIRONMENTS") ?? "/etc/almanac/environments.json" }

    static var sqlFolder: String { Process.variable("ALMANAC_SQL") ?? "/usr/share/almanac/sql" }

    /// Nil if there is no home folder.
    static var profileFile: String? {
        if let path = Process.variable("ALMANAC_PROFILE_FILE") { return path }
        if let folder = Process.variable("XDG_CONFIG_HOME") { return folder + "/almanac/profile.json" }
        return Process.variable("HOME").map { $0 + "/.config/almanac/profile.json" }
    }

    /// The folder for a user's data on this machine; nil if there is no home folder.
    static var dataFolder: String? {
        if let folder = Process.variable("XDG_DATA_HOME") { return folder + "/almanac" }
        return Process.variable("HOME").map { $0 + "/.local/share/almanac" }
    }

    /// Returns the token file chosen for this command: by an option, by a variable, or by `--profile`.
    static func namedTokenFile(_ arguments: Arguments, _ profile: Profile) -> String? {
        if arguments.has("--profile") { return profile.tokenFile }
        return arguments.option("--token-file") ?? Process.variable("ALMANAC_TOKEN_FILE")
    }

    private static var variables: Profile {
        Profile(
            url: Process.variable("ALMANAC_URL"), environment: Process.variable("ALMANAC_ENVIRONMENT"),
            tokenFile: Process.variable("ALMANAC_TOKEN_FILE"), caFile: Process.variable("ALMANAC_CA_FILE"),
            issuer: Process.variable("ALMANAC_ISSUER"), clientID: Process.variable("ALMANAC_CLIENT_ID"),
            issuerCAFile: Process.variable("ALMANAC_ISSUER_CA_FILE"))
    }

    /// Returns the path of the profile file, which may not exist.
    static func profilePath(_ arguments: Arguments) -> String? { arguments.option("--profile-file") ?? profileFile }

    /// Returns the server and the credentials for a command.
    static func profile(_ arguments: Arguments) throws -> Profile {
        let flags = Profile(
            url: arguments.option("--url"), environment: arguments.option("--environment"),
            tokenFile: arguments.option("--token-file"), caFile: arguments.option("--ca-file"),
            issuer: arguments.option("--issuer"), clientID: arguments.option("--client-id"),
            issuerCAFile: arguments.option("--issuer-ca-file"))
        let file = try profileFile(arguments)
        if let name = arguments.option("--profile") {
            // A profile named on the command line takes precedence over the variables.
            return flags.completed(by: try profile(name, file)).completed(by: variables)
        }
        let other = try Process.variable("ALMANAC_PROFILE").map { try profile($0, file) } ?? file?.profile()
        return flags.completed(by: variables).completed(by: other ?? Profile())
    }

    /// Returns the profile for an operand, which is the name of a profile or of an environment.
    static func profile(named name: String, _ arguments: Arguments) throws -> Profile {
        if var profile = try profileFile(arguments)?.profile(name) {
            profile.environment = profile.environment ?? name
            // A token is sent only to the server that it was configured for.
            return profile.url == nil ? profile.completed(by: try self.profile(arguments)) : profile
        }
        var profile = try profile(arguments)
        profile.environment = name
        return profile
    }

    private static func profile(_ name: String, _ file: ProfileFile?) throws -> Profile {
        guard let profile = file?.profile(name) else {
            let names = file?.profiles.map(\.name).joined(separator: ", ") ?? ""
            throw UsageFailure(
                "there is no profile '\(name)'"
                    + (file.map { "; \($0.path) has \(names.isEmpty ? "none" : names)" }
                        ?? ", because there is no profile file"))
        }
        return profile
    }

    private static func profileFile(_ arguments: Arguments) throws -> ProfileFile? {
        if let path = arguments.option("--profile-file") {
            guard let file = try ProfileFile(path) else { throw UsageFailure("there is no file \(path)") }
            return file
        }
        return try profileFile.flatMap { try ProfileFile($0) }
    }
}
