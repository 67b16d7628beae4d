/// One thing that the program can do: the one place from which it is parsed, explained and completed.
struct Command: Sendable {
    /// As it is typed: `config get`.
    let name: String
    /// Its purpose, in one line.
    let summary: String
    var operands: [Operand] = []
    var options: [Option] = []
    /// The rest that a newcomer should know, in whole lines.
    var details = ""
    /// Lines to paste, and what they show.
    let example: String
    let run: @Sendable (Arguments) throws -> ExitStatus

    /// The first line of its help: `almanac config get [OPTION ...] KEY`.
    var usage: String {
        (["almanac", name] + (options.isEmpty ? [] : ["[OPTION ...]"]) + operands.map(\.usage)).joined(separator: " ")
    }

    func option(_ word: String) -> Option? { options.first { $0.name == word || $0.short == word } }
}

/// A plain word of a command line.
struct Operand: Sendable {
    let name: String
    var isOptional = false
    var isRepeated = false
    var completion = Candidates.none

    /// How it stands in a usage line: `[KEY ...]`.
    var usage: String {
        let text = isRepeated ? "\(name) ..." : name
        return isOptional ? "[\(text)]" : text
    }
}

/// The words that can stand in a place, for completion.
enum Candidates: Sendable, Equatable {
    case none
    case file
    case words([String])
    /// The names in the environments file.
    case environments
    /// The names in the profile file.
    case profiles
    /// What two environments to compare go by: the names of profiles, and those in the environments file.
    case places
    /// The keys of the config that the line asks about.
    case keys
    /// Those of them that are flags.
    case flags
}

/// A named part of a command line: `--message TEXT`, or a flag such as `--json`.
struct Option: Sendable {
    let name: String
    var short: String? = nil
    /// The name of its value; nil for a flag.
    var value: String? = nil
    let help: String
    var isRepeated = false
    var completion = Candidates.none

    /// How it stands in a list of options: `-m, --message TEXT`.
    var usage: String { (short.map { $0 + ", " } ?? "") + name + (value.map { " " + $0 } ?? "") }
}
