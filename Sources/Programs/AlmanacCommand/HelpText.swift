/// The text of `--help`, generated from the table of commands.
enum HelpText {
    /// The list of all commands, one line each.
    static var overview: String {
        let width = CommandTable.all.map(\.name.count).max() ?? 0
        var text = "almanac: change and read config, flags and notes, and operate Almanac\n\n"
        for topic in CommandTable.topics {
            for command in CommandTable.all where command.name == topic || command.name.hasPrefix(topic + " ") {
                text +=
                    "  \(command.name)\(String(repeating: " ", count: width - command.name.count))  "
                    + "\(command.summary)\n"
            }
            text += "\n"
        }
        return text + "'almanac COMMAND --help' explains a command, with an example. 'almanac --version' prints the "
            + "release.\n\n" + settings + "\n\n" + ExitStatus.explanation
    }

    /// The help on the settings and their sources.
    static let settings = """
        The commands config, flags, import and note send requests to a server over HTTP, and work from
        anywhere. The options name the server and the token. Without the options, the variables ALMANAC_URL,
        ALMANAC_ENVIRONMENT, ALMANAC_TOKEN_FILE and ALMANAC_CA_FILE do, and without the variables, a profile
        in ~/.config/almanac/profile.json:
          { "default": "local",
            "profiles": { "local": { "url": "https://localhost:8443", "environment": "development",
                                     "token_file": "development.token", "ca_file": "ca.pem" } } }
        Instead of a token file, a user can sign in with 'almanac login'. The profile's issuer, client_id
        and issuer_ca_file name the identity provider. Notes are also kept on this machine, so they can be
        read and changed without the server.
        The other commands run on the server's host, and read the environments file.
        On a terminal, differences are coloured, unless the variable NO_COLOR is set, and times are shown as
        ages.
        """

    /// Returns the help of a command, or the list of commands that begin with a word.
    static func topic(_ words: [String]) throws(UsageFailure) -> String {
        guard let first = words.first else { return overview }
        let name = words.joined(separator: " ")
        if let command = CommandTable.all.first(where: { $0.name == name }) { return of(command) }
        let commands = CommandTable.all.filter { $0.name.hasPrefix(name + " ") }
        guard words.count == 1, !commands.isEmpty else {
            throw UsageFailure(
                "there is no help for '\(name)'; expected \(CommandTable.topics.joined(separator: ", "))")
        }
        let width = commands.map(\.name.count).max() ?? 0
        return commands.map { command in
            "almanac \(command.name)\(String(repeating: " ", count: width - command.name.count))  \(command.summary)\n"
        }.joined() + "\n'almanac \(first) COMMAND --help' explains a command, with an example.\n"
    }

    static func of(_ command: Command) -> String {
        var text = "\(command.usage)\n\n\(command.summary)\n"
        if !command.details.isEmpty { text += "\n\(command.details)\n" }
        if !command.options.isEmpty {
            text += "\nOptions:\n"
            for option in command.options {
                text += "  \(option.usage)\n"
                text += wrapped(option.help, width: 100).map { "      \($0)\n" }.joined()
            }
        }
        let example = command.example.split(separator: "\n", omittingEmptySubsequences: false)
        return text + "\nExample:\n" + example.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
    }

    private static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
