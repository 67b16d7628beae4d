import AlmanacJSON
import AlmanacTestSupport

/// An environment of the running instance that has its own database and trusts the tests' provider.
struct ProviderEnvironment {
    static let name = "club"

    /// Runs a body while the environment exists.
    static func with(_ body: (ProviderEnvironment) throws -> Void) throws {
        let identity: JSONValue = [
            "issuer": .string(try SignInBrowser.issuer), "audience": "https://notes.example.com",
        ]
        try AddedEnvironment.with(name, ["identity": identity]) { _ in try body(ProviderEnvironment()) }
    }

    /// Returns the command line of a user with the given home folder.
    func almanac(_ home: TemporaryFolder, _ variables: [String: String] = [:]) throws -> CommandLineProgram {
        let own = [
            "ALMANAC_ENVIRONMENT": Self.name, "ALMANAC_TOKEN_FILE": "",
            "ALMANAC_PROFILE_FILE": "\(home.path)/profile.json",
            "XDG_DATA_HOME": "\(home.path)/data", "ALMANAC_ISSUER": try SignInBrowser.issuer,
            "ALMANAC_CLIENT_ID": "notes-app",
        ]
        return try CommandLineProgram(own.merging(variables) { $1 })
    }
}
