internal import Environments
internal import Identity
internal import OpenIDConnect
internal import POSIX
internal import Timestamps

/// `almanac token user`
enum UserTokenCommand {
    static func run(_ arguments: Arguments) throws {
        var arguments = arguments
        let environment = try arguments.environment(try arguments.next("an environment"))
        try arguments.finish(allowing: "--sub", "--scope", "--expires-in-minutes")
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
        try Process.output(token + "\n")
    }

    private static func minutes(_ arguments: Arguments) throws(UsageFailure) -> Int64 {
        guard let text = arguments.option("--expires-in-minutes") else { return 60 }
        guard let minutes = Int64(text), (1...525_600).contains(minutes) else {
            throw UsageFailure("--expires-in-minutes must be a whole number from 1 to 525600")
        }
        return minutes
    }
}
