/// The definition of a command, from which parsing, help and completion are derived.
struct Command: Sendable {
    /// The name as typed: `config get`.
    let name: String
    /// The purpose in one line.
    let summary: String
    var operands: [Operand] = []
    var options: [Option] = []
    /// Further help in whole lines.
    var details = ""
    /// Lines to paste, with their output.
    let example: String
    let run: @Sendable (Arguments) throws -> ExitStatus

    /// The first line of the help: `almanac config get [OPTION ...] KEY`.
    var usage: String {
        (["almanac", name] + (options.isEmpty ? [] : ["[OPTION ...]"]) + operands.map(\.usage)).joined(separator: " ")
    }

    func option(_ word: String) -> Option? { options.first { $0.name == word || $0.short == word } }
}

/// A positional word of a command line.
struct Operand: Sendable {
    let name: String
    var isOptional = false
    var isRepeated = false
    var completion = Candidates.none

    /// The operand's form in a usage line: `[KEY ...]`.
    var usage: String {
        let text = isRepeated ? "\(name) ..." : name
        return isOptional ? "[\(text)]" : text
    }
}

/// The candidates for completion of a word.
enum Candidates: Sendable, Equatable {
    case none
    case file
    case words([String])
    /// The names in the environments file.
    case environments
    /// The names in the profile file.
    case profiles
    /// The names that identify an environment to compare: those of profiles and those in the environments file.
    case places
    /// The keys of the environment's config.
    case keys
    /// The keys of the environment's flags.
    case flags
}

/// A named option of a command line: `--message TEXT`, or a flag such as `--json`.
struct Option: Sendable {
    let name: String
    var short: String? = nil
    /// The name of the value; nil for a flag.
    var value: String? = nil
    let help: String
    var isRepeated = false
    var completion = Candidates.none

    /// The option's form in a list of options: `-m, --message TEXT`.
    var usage: String { (short.map { $0 + ", " } ?? "") + name + (value.map { " " + $0 } ?? "") }
}
