internal import AlmanacClient
internal import AlmanacPOSIX

/// The settings of a call: from options, else from variables, else from a profile, else by custom.
enum Settings {
    static var environmentsFile: String {
        Process.variable("ALMANAC_ENVIRONMENTS") ?? "/etc/almanac/environments.json"
    }

    static var sqlFolder: String { Process.variable("ALMANAC_SQL") ?? "/usr/share/almanac/sql" }

    /// Nil where nobody has a home folder.
    static var profileFile: String? {
        if let path = Process.variable("ALMANAC_PROFILE_FILE") { return path }
        if let folder = Process.variable("XDG_CONFIG_HOME") { return folder + "/almanac/profile.json" }
        return Process.variable("HOME").map { $0 + "/.config/almanac/profile.json" }
    }

    /// Where what belongs to a user of this machine is kept; nil where nobody has a home folder.
    static var dataFolder: String? {
        if let folder = Process.variable("XDG_DATA_HOME") { return folder + "/almanac" }
        return Process.variable("HOME").map { $0 + "/.local/share/almanac" }
    }

    /// The token file that was named for this call: by an option, a variable, or a profile that itself was.
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

    /// The profile file that a command line names, be it there or not.
    static func profilePath(_ arguments: Arguments) -> String? { arguments.option("--profile-file") ?? profileFile }

    /// The server to ask, and the credentials to ask it with.
    static func profile(_ arguments: Arguments) throws -> Profile {
        let flags = Profile(
            url: arguments.option("--url"), environment: arguments.option("--environment"),
            tokenFile: arguments.option("--token-file"), caFile: arguments.option("--ca-file"),
            issuer: arguments.option("--issuer"), clientID: arguments.option("--client-id"),
            issuerCAFile: arguments.option("--issuer-ca-file"))
        let file = try profileFile(arguments)
        if let name = arguments.option("--profile") {
            // Named on the command line, it is a flag as well.
            return flags.completed(by: try profile(name, file)).completed(by: variables)
        }
        let other = try Process.variable("ALMANAC_PROFILE").map { try profile($0, file) } ?? file?.profile()
        return flags.completed(by: variables).completed(by: other ?? Profile())
    }

    /// The same for one of several environments on a command line: the name of a profile, or of an environment.
    static func profile(named name: String, _ arguments: Arguments) throws -> Profile {
        if var profile = try profileFile(arguments)?.profile(name) {
            profile.environment = profile.environment ?? name
            // A token goes to the server that it was named for and to no other.
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
                        ?? ", for there is no profile file"))
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
