internal import AlmanacEnvironments
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacOpenIDConnect
internal import AlmanacPOSIX
internal import AlmanacTimestamps

/// The command `almanac token user`.
enum UserTokenCommand {
    static let command = Command(
        name: "token user", summary: "Create a token for a user of a development environment.",
        operands: [.environment],
        options: [
            Option(name: "--sub", value: "USER", help: "the user's subject, in 1 to 255 bytes"),
            Option(
                name: "--scope", value: "SCOPE",
                help: "the token's rights for the config: \(Scope.names); may be repeated",
                isRepeated: true, completion: .words(Scope.allCases.map(\.rawValue))),
            Option(name: "--expires-in-minutes", value: "N", help: "the minutes until the token expires; default: 60"),
            .json,
        ] + Option.host,
        details: """
            Only for an environment with "identity": {"development": true}. The first call creates the key that
            signs the tokens, $ALMANAC_DEVELOPMENT_KEY or development-ENVIRONMENT.key beside the environments
            file, and the public key for the workers.
            """,
        example: "$ almanac token user development --sub alice > alice.token", run: run)

    private static func run(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        guard let subject = arguments.option("--sub"), (1...255).contains(subject.utf8.count) else {
            throw UsageFailure("--sub must be the user's subject, in 1 to 255 bytes")
        }
        let scopes = try arguments.scopes()
        let now = Timestamp(milliseconds: WallClock.milliseconds)
        let expiry = now.advanced(bySeconds: try minutes(arguments) * 60)
        guard case .development(let files) = environment.identity else {
            throw CommandFailure(
                description: "environment '\(environment.name)' doesn't have \"identity\": {\"development\": true}; "
                    + "the tokens of its users come from the identity provider")
        }
        let issuer = try DevelopmentIssuer(
            environment: environment.name.text, keyFile: files.privateKey, publicKeyFile: files.publicKey)
        let token = issuer.token(subject: subject, scopes: scopes.map(\.rawValue), now: now, expiresAt: expiry)
        if arguments.wantsJSON {
            try Output.json(["token": .string(token), "expires_at": .string("\(expiry)")])
        } else {
            try Process.output(token + "\n")
        }
        return .success
    }

    private static func minutes(_ arguments: Arguments) throws(UsageFailure) -> Int64 {
        guard let text = arguments.option("--expires-in-minutes") else { return 60 }
        guard let minutes = Int64(text), (1...525_600).contains(minutes) else {
            throw UsageFailure("--expires-in-minutes must be a whole number from 1 to 525600")
        }
        return minutes
    }
}
