extension Option {
    static let json = Option(name: "--json", help: "print JSON with a stable format")
    static let dryRun = Option(name: "--dry-run", help: "show what would change, and change nothing")
    static let yes = Option(name: "--yes", help: "skip the confirmation; for scripts")
    static let propose = Option(
        name: "--propose", help: "make a proposal for a review instead of a release; see 'almanac proposals'")
    static let message = Option(
        name: "--message", short: "-m", value: "TEXT",
        help: "the reason, for the history: one line of at most 1024 bytes")
    static let at = Option(name: "--at", value: "REVISION", help: "read the state at this revision")
    static let version = Option(name: "--version", value: "N", help: "read what builds that pin this version see")

    /// The options for the server and its credentials.
    static let server =
        [
            Option(name: "--url", value: "URL", help: "the server; default: $ALMANAC_URL, then the profile"),
            environment,
        ] + access

    /// The options for the server and its credentials, for commands whose operands name environments.
    static let serverOfSeveral =
        [Option(name: "--url", value: "URL", help: "the server; default: $ALMANAC_URL, then the profile")] + access

    private static let environment = Option(
        name: "--environment", short: "-e", value: "NAME",
        help: "the environment; default: $ALMANAC_ENVIRONMENT, then the profile", completion: .environments)

    private static let access = [
        Option(
            name: "--token-file", value: "FILE",
            help: "the file that contains the token; {environment} in the path stands for the environment's name; "
                + "default: $ALMANAC_TOKEN_FILE, then the profile", completion: .file),
        Option(
            name: "--ca-file", value: "FILE",
            help: "trust only the certificate authorities in this file; "
                + "default: $ALMANAC_CA_FILE, then the profile, then the system's authorities", completion: .file),
        Option(
            name: "--issuer-ca-file", value: "FILE",
            help: "trust only the certificate authorities in this file for the provider of 'almanac login'; "
                + "default: $ALMANAC_ISSUER_CA_FILE, then the profile, then the system's authorities",
            completion: .file),
        Option(
            name: "--profile", value: "NAME",
            help: "use this profile, which overrides the variables; default: $ALMANAC_PROFILE, then the file's default",
            completion: .profiles),
        Option(
            name: "--profile-file", value: "FILE",
            help: "the profile file; default: $ALMANAC_PROFILE_FILE, then ~/.config/almanac/profile.json",
            completion: .file),
    ]

    static let environments = Option(
        name: "--environments", value: "FILE",
        help: "the environments file; default: $ALMANAC_ENVIRONMENTS, then /etc/almanac/environments.json",
        completion: .file)
    static let sql = Option(
        name: "--sql", value: "FOLDER",
        help: "the folder that contains migrations/; default: $ALMANAC_SQL, then /usr/share/almanac/sql",
        completion: .file)

    /// The options of commands on this host's databases. Every such command accepts all of them, so one alias fits.
    static let host = [environments, sql]
}

extension Operand {
    static let environment = Operand(name: "ENVIRONMENT", completion: .environments)
}
