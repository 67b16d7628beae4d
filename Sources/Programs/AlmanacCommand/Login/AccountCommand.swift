internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacNotes
internal import AlmanacPOSIX
internal import AlmanacSignIn

/// The command `almanac account delete`.
enum AccountCommand {
    static let all = [
        Command(
            name: "account delete", summary: "Erase your own account, on the server and on this machine.",
            options: [.yes, .json] + Option.server,
            details: """
                Erases the notes, their history, the actions and the account on the server, at once and for good,
                and then the notes on this machine, including unsent ones. Asks you to type the account first.
                'almanac note export' makes a copy of the notes.
                The account is the one of the user's token in --token-file or ALMANAC_TOKEN_FILE, else of the
                sign-in. The sign-in stays; 'almanac logout' ends it.
                """,
            example: """
                $ almanac account delete
                Erase everything of alice in production? Type the account: alice
                the account alice is erased
                """, run: delete)
    ]

    private static func delete(_ arguments: Arguments) throws -> ExitStatus {
        let confirmation = try Confirmation(arguments, "erases your account and all of its notes")
        var profile = try Settings.profile(arguments)
        let address = try EnvironmentAddress(profile)
        let owner = try NotesOwner(arguments, profile, address)
        let token = try blockUntilDone { try await owner.tokens.accessToken(replacing: nil) }
        profile.tokenFile = nil
        let remote = try RemoteEnvironment(profile, login: BearerToken(token), needsToken: true)
        let account = TextTable.line(owner.account.subject)
        guard
            confirmation.isGiven(
                "Erase everything of \(account) in \(address.name)? Type the account", typing: owner.account.subject)
        else { return .failed }
        try remote.eraseAccount()
        if let file = DeviceNotes.file(of: owner.account, address) { NotesStore.removeFiles(file) }
        if arguments.wantsJSON {
            try Output.json([
                "issuer": .string(owner.account.issuer), "subject": .string(owner.account.subject), "erased": true,
            ])
        } else {
            try Process.output("the account \(account) is erased\n")
        }
        return .success
    }
}
