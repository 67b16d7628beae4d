extension Option {
    static let json = Option(name: "--json", help: "print JSON with a stable format")
    static let dryRun = Option(name: "--dry-run", help: "show what would be changed, and change nothing")
    static let yes = Option(name: "--yes", help: "don't ask; for scripts")
    static let message = Option(
        name: "--message", short: "-m", value: "TEXT", help: "why, for the history: one line of at most 1024 bytes")
    static let at = Option(name: "--at", value: "REVISION", help: "as it was at this revision")
    static let version = Option(name: "--version", value: "N", help: "as builds that pin this version see it")

    /// The options for the server and its credentials.
    static let server =
        [
            Option(name: "--url", value: "URL", help: "the server; else $ALMANAC_URL, else the profile's"),
            environment,
        ] + access

    /// The options for the server and its credentials, for commands whose operands name environments.
    static let serverOfSeveral =
        [Option(name: "--url", value: "URL", help: "the server; else $ALMANAC_URL, else the profile's")] + access

    private static let environment = Option(
        name: "--environment", short: "-e", value: "NAME",
        help: "else $ALMANAC_ENVIRONMENT, else the profile's", completion: .environments)

    private static let access = [
        Option(
            name: "--token-file", value: "FILE",
            help: "the file with the token; {environment} in it stands for the environment's name; "
                + "else $ALMANAC_TOKEN_FILE, else the profile's", completion: .file),
        Option(
            name: "--ca-file", value: "FILE",
            help:
                "the only certificate authorities to trust; "
                + "else $ALMANAC_CA_FILE, else the profile's, else the system's",
            completion: .file),
        Option(
            name: "--issuer-ca-file", value: "FILE",
            help: "the only certificate authorities to trust at the identity provider of 'almanac login'; "
                + "else $ALMANAC_ISSUER_CA_FILE, else the profile's, else the system's", completion: .file),
        Option(
            name: "--profile", value: "NAME",
            help: "a profile, which then goes before the variables; else $ALMANAC_PROFILE, else the file's default",
            completion: .profiles),
        Option(
            name: "--profile-file", value: "FILE",
            help: "else $ALMANAC_PROFILE_FILE, else ~/.config/almanac/profile.json", completion: .file),
    ]

    static let environments = Option(
        name: "--environments", value: "FILE",
        help: "the environments file; else $ALMANAC_ENVIRONMENTS, else /etc/almanac/environments.json",
        completion: .file)
    static let sql = Option(
        name: "--sql", value: "FOLDER",
        help: "the folder that holds migrations/; else $ALMANAC_SQL, else /usr/share/almanac/sql", completion: .file)

    /// The options of commands on this host's databases. Every such command accepts all of them, so one alias fits.
    static let host = [environments, sql]
}

extension Operand {
    static let environment = Operand(name: "ENVIRONMENT", completion: .environments)
}
