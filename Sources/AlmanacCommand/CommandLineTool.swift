internal import POSIX

/// The command line of operators.
enum CommandLineTool {
    static let help = """
        almanac: the command line of Almanac's operators

        almanac migrate [ENVIRONMENT ...]
            Bring the schema of these environments, or of all, up to date.

        almanac token create ENVIRONMENT --scope SCOPE ... --label TEXT [--expires-in-days N] [--output FILE]
            Make an API token and print it, or write it to a new file that only you can read.
            It cannot be shown again. Scopes: config:read, config:write (includes read), admin (includes both).
        almanac token user ENVIRONMENT --sub USER [--scope SCOPE ...] [--expires-in-minutes N]
            Print a token for a user of an environment with "identity": {"development": true}, good for an hour
            unless told otherwise. The first call makes the key that signs it, $ALMANAC_DEVELOPMENT_KEY or
            development-ENVIRONMENT.key beside the environments file, and its public half for the workers.
        almanac token list ENVIRONMENT [--json]
            List the tokens: id, label, scopes, and when each was made, expires and was last used.
        almanac token revoke ENVIRONMENT ID
            End a token's use, at once and for good.

        almanac lineage renew ENVIRONMENT
            Tell clients, after a database was restored from a backup, that their cursors are of another history.

        Options everywhere:
          --environments FILE   the environments file; else $ALMANAC_ENVIRONMENTS, else /etc/almanac/environments.json
          --sql FOLDER          the folder that holds migrations/; else $ALMANAC_SQL, else /usr/share/almanac/sql
          --help                this text

        Exit status: 0 done, 1 failed, 2 wrong usage.

        """

    static func run(_ words: [String]) throws {
        var arguments = try Arguments(words)
        if arguments.hasHelp || words.isEmpty {
            try Process.output(help)
            return
        }
        let command = try arguments.next("a command")
        switch command {
        case "migrate":
            try MigrateCommand.run(arguments)
        case "token":
            let verb = try arguments.next("create, user, list or revoke")
            switch verb {
            case "create": try TokenCommand.create(arguments)
            case "user": try UserTokenCommand.run(arguments)
            case "list": try TokenCommand.list(arguments)
            case "revoke": try TokenCommand.revoke(arguments)
            default: throw UsageFailure("'token \(verb)' is not known; expected create, user, list or revoke")
            }
        case "lineage":
            let verb = try arguments.next("renew")
            guard verb == "renew" else { throw UsageFailure("'lineage \(verb)' is not known; expected renew") }
            try LineageCommand.renew(arguments)
        default:
            throw UsageFailure("'\(command)' is not known; expected migrate, token or lineage")
        }
    }
}
