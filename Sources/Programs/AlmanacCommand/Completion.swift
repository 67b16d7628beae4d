internal import AlmanacClient
internal import AlmanacEnvironments
internal import AlmanacJSON

/// The completion of command lines, for the shell.
enum Completion {
    /// Returns the completions of the last word; the line `:file` stands for any file.
    ///
    /// - Parameter words: the words after the program's name. The last one is being typed and may be empty.
    static func candidates(for words: [String]) -> [String] {
        let typed = words.last ?? ""
        let before = Array(words.dropLast())
        let all = expected(after: before, typed: typed)
        return all.filter { $0 == ":file" || $0.utf8.starts(with: typed.utf8) }
    }

    private static func expected(after words: [String], typed: String) -> [String] {
        guard let first = words.first else { return CommandTable.topics + ["help"] }
        if first == "help" { return verbs(after: Array(words.dropFirst()), elseTopics: true) }
        guard let found = try? CommandTable.find(words), let command = found.command else {
            return words.count == 1 ? verbs(after: words, elseTopics: false) : []
        }
        if let last = found.rest.last, let option = command.option(last), option.value != nil {
            return list(option.completion, command, found.rest)
        }
        if typed.hasPrefix("-") { return command.options.map(\.name) + ["--help"] }
        return list(operand(of: command, after: found.rest)?.completion ?? .none, command, found.rest)
    }

    private static func verbs(after words: [String], elseTopics: Bool) -> [String] {
        guard let first = words.first else { return elseTopics ? CommandTable.topics : [] }
        guard words.count == 1 else { return [] }
        return CommandTable.all.filter { $0.name.hasPrefix(first + " ") }.map {
            String($0.name.dropFirst(first.count + 1))
        }
    }

    /// Returns the operand at the next position.
    private static func operand(of command: Command, after words: ArraySlice<String>) -> Operand? {
        var count = 0
        var isValue = false
        for word in words {
            if isValue {
                isValue = false
            } else if word.hasPrefix("-"), word != "-" {
                isValue = command.option(word)?.value != nil
            } else {
                count += 1
            }
        }
        if count < command.operands.count { return command.operands[count] }
        return command.operands.last.flatMap { $0.isRepeated ? $0 : nil }
    }

    /// Fetches the config from the server that the line names, with a short timeout; nil if that fails.
    private static func state(_ command: Command, _ words: ArraySlice<String>) -> ConfigState? {
        var asking = command
        asking.operands = [Operand(name: "KEY", isOptional: true, isRepeated: true)]
        guard let arguments = try? Arguments(Array(words), for: asking),
            let remote = try? RemoteEnvironment(Settings.profile(arguments), timeout: .seconds(2)),
            let state = try? remote.wholeState()
        else { return nil }
        return state
    }

    /// - Parameter words: the rest of the line, which may name an environments file or a profile file.
    private static func list(_ candidates: Candidates, _ command: Command, _ words: ArraySlice<String>) -> [String] {
        func value(_ option: String) -> String? {
            words.firstIndex(of: option).flatMap { words.index(after: $0) < words.endIndex ? words[$0 + 1] : nil }
        }
        switch candidates {
        case .none: return []
        case .file: return [":file"]
        case .words(let words): return words
        case .environments:
            let path = value(Option.environments.name) ?? Settings.environmentsFile
            return ((try? EnvironmentsFile.load(path, for: .worker)) ?? []).map(\.name.text)
        case .profiles:
            let path = value("--profile-file") ?? Settings.profileFile
            return ((try? path.flatMap { try ProfileFile($0) }) ?? nil)?.profiles.map(\.name) ?? []
        case .places:
            let names = list(.profiles, command, words) + list(.environments, command, words)
            return names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        case .keys: return state(command, words)?.values.members.map(\.name) ?? []
        case .flags: return state(command, words)?.flagKeys ?? []
        }
    }
}
