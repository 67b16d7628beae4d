/// All commands, in the order of the help.
enum CommandTable {
    static let all =
        ConfigCommands.all + FlagCommands.all + ProposalCommands.all + SystemImport.all + StatusCommands.all
        + AuditCommand.all
        + SessionCommands.all + LoginCommands.all + AccountCommand.all + AccountAnswering.all + NoteCommands.all
        + EnvironmentCommands.all
        + DoctorCommand.all + AttachmentCommands.all + AttachmentMoving.all + BackupCommands.all + RestoreCommand.all
        + MigrateCommand.all + TokenCommand.all + PeopleCommands.all + InviteCommand.all + LineageCommand.all

    /// The distinct first words of commands: `config`, `note`, …
    static let topics = all.reduce(into: [String]()) { topics, command in
        let first = String(command.name.prefix { $0 != " " })
        if topics.last != first { topics.append(first) }
    }

    /// Finds the command at the start of a line, and the words after it; no command for a topic with only `--help`.
    static func find(_ words: [String]) throws(UsageFailure) -> (command: Command?, rest: ArraySlice<String>) {
        let first = words.first ?? ""
        let candidates = all.filter { $0.name == first || $0.name.hasPrefix(first + " ") }
        if first.hasPrefix("-") { throw UsageFailure("put options after the command, not '\(first)' before it") }
        guard !first.isEmpty, !candidates.isEmpty else {
            throw UsageFailure(
                "unknown command '\(first)'; expected \(topics.joined(separator: ", "))"
                    + Suggestion.text(for: first, among: topics))
        }
        if words.count > 1, let command = candidates.first(where: { $0.name == "\(first) \(words[1])" }) {
            return (command, words.dropFirst(2))
        }
        if let command = candidates.first(where: { $0.name == first }) { return (command, words.dropFirst()) }
        let names = candidates.map { String($0.name.dropFirst(first.count + 1)) }
        let verbs = names.joined(separator: ", ")
        guard words.count > 1 else { throw UsageFailure("expected one of \(verbs) after '\(first)'") }
        if words[1] == "--help" || words[1] == "-h" { return (nil, []) }
        throw UsageFailure(
            "unknown command '\(first) \(words[1])'; expected \(verbs)" + Suggestion.text(for: words[1], among: names))
    }
}
