internal import AlmanacEnvironments
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacOpenIDConnect
internal import AlmanacPOSIX
internal import AlmanacTimestamps

/// The command `almanac token user`.
enum UserTokenCommand {
    static let command = Command(
        name: "token user", summary: "Make a token for a user of a development environment.",
        operands: [.environment],
        options: [
            Option(name: "--sub", value: "USER", help: "the user, in 1 to 255 bytes"),
            Option(
                name: "--scope", value: "SCOPE", help: "what it may do with the config: \(Scope.names)",
                isRepeated: true, completion: .words(Scope.allCases.map(\.rawValue))),
            Option(name: "--expires-in-minutes", value: "N", help: "how long it is good; without, an hour"),
            .json,
        ] + Option.host,
        details: """
            For an environment with "identity": {"development": true}. The first call makes the key that signs it,
            $ALMANAC_DEVELOPMENT_KEY or development-ENVIRONMENT.key beside the environments file, \
            and its public half for
            the workers.
            """,
        example: "$ almanac token user development --sub alice > alice.token", run: run)

    private static func run(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        guard let subject = arguments.option("--sub"), (1...255).contains(subject.utf8.count) else {
            throw UsageFailure("--sub must name the user, in 1 to 255 bytes")
        }
        let scopes = try arguments.scopes()
        let now = Timestamp(milliseconds: WallClock.milliseconds)
        let expiry = now.advanced(bySeconds: try minutes(arguments) * 60)
        guard case .development(let files) = environment.identity else {
            throw CommandFailure(
                description: "environment '\(environment.name)' doesn't have \"identity\": {\"development\": true}; "
                    + "its users' tokens come from its identity provider")
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
