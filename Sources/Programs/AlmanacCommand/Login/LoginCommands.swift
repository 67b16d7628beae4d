internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacSignIn
internal import AlmanacTimestamps

/// The commands `almanac login` and `almanac logout`.
enum LoginCommands {
    static let all = [login, logout]

    private static let login = Command(
        name: "login", summary: "Sign in as a user, in a browser.",
        options: [
            Option(
                name: "--issuer", value: "URL",
                help: "the identity provider's issuer URL; default: $ALMANAC_ISSUER, then the profile"),
            Option(
                name: "--client-id", value: "ID",
                help: "the client id at the provider: a public client that may redirect to 127.0.0.1; "
                    + "default: $ALMANAC_CLIENT_ID, then the profile"),
            Option(
                name: "--scope", value: "SCOPE",
                help: "a scope to request besides openid and offline_access, such as config:read; may be repeated",
                isRepeated: true),
            Option(
                name: "--parameter", value: "NAME=VALUE",
                help: "add this parameter to the sign-in page's address; some providers need "
                    + "audience=… or resource=…; may be repeated", isRepeated: true),
            Option(
                name: "--port", value: "N",
                help: "the local port that the browser returns to, for providers that accept only one port"),
            Option(name: "--wait", value: "SECONDS", help: "how long to wait for the browser; default: 300"),
            Option(name: "--no-browser", help: "only print the address; don't open a browser"),
            Option(name: "--device", help: "sign in from a browser on another device: print an address and a code"),
            .json,
        ] + Option.server,
        details: """
            Prints an address to open in a browser on this machine, and waits on 127.0.0.1 for the browser to
            return. On a machine with a display, it opens the browser. You type the password only at the
            provider. Only tokens are stored, in logins/ beside the profile file, readable only by you. Commands
            about notes use these tokens; other commands use them if no token file is named. Almanac refreshes
            the tokens when needed. A sign-in belongs to one environment of one server. If the provider has
            ended the sign-in, commands say so and exit with status 6.
            With --device (RFC 8628), nothing listens on this machine: Almanac polls the provider until you have
            signed in on the other device.
            With --json, two lines are printed: {"open"}, or with --device {"open", "code"}, and at the end
            {"issuer", "subject", "expires_at", "accepted"}.
            """,
        example: """
            $ almanac login --issuer https://login.example.com --client-id notes-app
            Open this address in a browser on this machine:

              https://login.example.com/authorize?response_type=code&...

            signed in as alice, at https://login.example.com
            """
    ) { arguments in
        let profile = try Settings.profile(arguments)
        let address = try EnvironmentAddress(profile)
        guard let issuer = profile.issuer else {
            throw UsageFailure("the issuer is missing: give --issuer, set ALMANAC_ISSUER, or name it in the profile")
        }
        guard let clientID = profile.clientID else {
            throw UsageFailure(
                "the client id is missing: give --client-id, set ALMANAC_CLIENT_ID, or name it in the profile")
        }
        let port = try arguments.number("--port", in: 1...65_535).flatMap { UInt16($0) } ?? 0
        let limit = Duration.seconds(Int64(try arguments.number("--wait", in: 1...86_400) ?? "") ?? 300)
        let login = try UserLogin(address, profile, profileFile: Settings.profilePath(arguments))
        let session = login.session(
            issuer: issuer, clientID: clientID, scopes: arguments.all("--scope"), parameters: try parameters(arguments))
        let page = SignInPage(
            isJSON: arguments.wantsJSON, opensBrowser: !arguments.wantsJSON && !arguments.has("--no-browser"))
        let account = try blockUntilDone {
            if arguments.has("--device") {
                let request = try await session.beginOnAnotherDevice()
                try page.show(request)
                return try await session.complete(request, within: limit)
            }
            let loopback = try LoopbackRedirect(port: port)
            let request = try await session.begin(redirect: loopback.address)
            try page.show("\(request.url)")
            let callback = try await loopback.callback(within: limit) { request.isAnswered(by: $0) }
            return try await session.complete(request, callback: callback)
        }
        return try report(account, login, profile, arguments)
    }

    /// Prints who has signed in, and checks that the server accepts the token.
    private static func report(
        _ account: UserAccount, _ login: UserLogin, _ profile: Profile, _ arguments: Arguments
    ) throws -> ExitStatus {
        guard let tokens = try login.stored()?.tokens else { throw SignInRequired(.signedOut) }
        let refusal = refusal(of: BearerToken(tokens.accessToken), profile)
        if arguments.wantsJSON {
            var document: [(name: String, value: JSONValue)] = [
                ("issuer", .string(account.issuer)), ("subject", .string(account.subject)),
            ]
            if let end = tokens.expiresAt { document.append(("expires_at", .string("\(Timestamp(end))"))) }
            document.append(("accepted", .boolean(refusal == nil)))
            try Output.json(.object(JSONObject(document)))
        } else {
            try Process.output("signed in as \(TextTable.line(account.subject)), at \(account.issuer)\n")
        }
        if let path = Settings.namedTokenFile(arguments, profile) ?? profile.tokenFile {
            Process.report(
                "almanac: the token file \(path) is set too; commands that accept a token file use it, not the sign-in")
        }
        guard let refusal else { return .success }
        Process.report(
            "almanac: you are signed in, but the server does not accept the token: \(refusal); "
                + "the environment must have this issuer, and the token must have its audience (see --parameter)")
        return .notAllowed
    }

    /// Returns the server's reason for refusing a token; nil if it accepts the token or doesn't answer.
    private static func refusal(of token: BearerToken, _ profile: Profile) -> CallFailure? {
        var profile = profile
        profile.tokenFile = nil
        guard let remote = try? RemoteEnvironment(profile, login: token) else { return nil }
        do throws(CallFailure) { try remote.checkUser() } catch { return error.kind == .notAllowed ? error : nil }
        return nil
    }

    private static func parameters(_ arguments: Arguments) throws(UsageFailure) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        for text in arguments.all("--parameter") {
            guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
                throw UsageFailure("--parameter must be NAME=VALUE")
            }
            parameters.append((String(text[..<sign]), String(text[text.index(after: sign)...])))
        }
        return parameters
    }

    private static let logout = Command(
        name: "logout", summary: "Sign out, and revoke the tokens at the provider.", options: [.json] + Option.server,
        details: """
            Deletes the tokens from this machine even if the provider cannot be reached. The notes on this
            machine stay, for the next sign-in of the same user.
            """,
        example: "$ almanac logout"
    ) { arguments in
        let profile = try Settings.profile(arguments)
        let login = try UserLogin(EnvironmentAddress(profile), profile, profileFile: Settings.profilePath(arguments))
        let stored: StoredSignIn?
        do { stored = try login.stored() } catch {
            // A damaged sign-in must be removed too.
            let storage = login.storage
            try blockUntilDone { try await storage.save(nil) }
            throw error
        }
        guard let stored else { return try report(signedOut: false, .notOffered, arguments) }
        let session = login.session(of: stored)
        return try report(signedOut: true, try blockUntilDone { try await session.signOut() }, arguments)
    }

    private static func report(signedOut: Bool, _ revocation: Revocation, _ arguments: Arguments) throws -> ExitStatus {
        if arguments.wantsJSON {
            try Output.json(["signed_out": .boolean(signedOut), "revoked": .boolean(revocation == .done)])
        } else {
            try Process.output(signedOut ? "signed out\n" : "nobody was signed in\n")
        }
        guard case .failed(let reason) = revocation else { return .success }
        Process.report(
            "almanac: the tokens are deleted on this machine, but may stay valid at the provider for some "
                + "time: \(reason)")
        return .success
    }
}
