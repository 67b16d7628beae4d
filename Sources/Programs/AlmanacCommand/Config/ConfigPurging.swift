internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The command `almanac config purge`.
enum ConfigPurging {
    static let command = Command(
        name: "config purge", summary: "Take a key out of every major and out of the history: a secret that leaked.",
        operands: [Operand(name: "KEY", completion: .keys)], options: [.yes, .message, .json] + Option.server,
        details: """
            Whether or not the key is still there. It can't be undone, so you are asked. The history goes on to tell
            that there was such a key, and who purged it when. Clients, caches and backups keep what they have
            already, so change the secret as well. It takes a token with the scope admin.
            """,
        example: """
            $ almanac config purge app.secret --message 'leaked'
            Take app.secret out of production for good, with its history? [y/N] y
            app.secret purged: revision 44, version 3.0.0
            """
    ) { arguments in
        let key = arguments.operand("KEY")
        try Arguments.checkKey(key)
        let message = try arguments.message()
        let confirmation = try Confirmation(arguments, "takes '\(key)' out of the config and the history for good")
        let remote = try arguments.remote(writes: true)
        guard confirmation.isGiven("Take \(key) out of \(remote.name) for good, with its history?") else {
            return .failed
        }
        return try remote.purge(key, message: message).report(as: "\(key) purged", arguments)
    }
}
