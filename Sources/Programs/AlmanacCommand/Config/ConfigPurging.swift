internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The command `almanac config purge`.
enum ConfigPurging {
    static let command = Command(
        name: "config purge", summary: "Remove a key, such as a leaked secret, from every major and from the history.",
        operands: [Operand(name: "KEY", completion: .keys)], options: [.yes, .message, .json] + Option.server,
        details: """
            Works for removed keys too. This cannot be undone, so the command asks first. The history still
            shows that the key existed, and who purged it when. Clients, caches and backups keep their copies,
            so change the secret as well. Requires a token with the scope admin.
            """,
        example: """
            $ almanac config purge app.secret --message 'leaked'
            Permanently remove app.secret and its history from production? [y/N] y
            app.secret purged: revision 44, version 3.0.0
            """
    ) { arguments in
        let key = arguments.operand("KEY")
        try Arguments.checkKey(key)
        let message = try arguments.message()
        let confirmation = try Confirmation(arguments, "permanently removes '\(key)' from the config and the history")
        let remote = try arguments.remote(writes: true)
        guard confirmation.isGiven("Permanently remove \(key) and its history from \(remote.name)?") else {
            return .failed
        }
        return try remote.purge(key, message: message).report(as: "\(key) purged", arguments)
    }
}
