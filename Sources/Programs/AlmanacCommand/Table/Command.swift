/// One thing that the program can do: the one place from which it is parsed, explained and completed.
struct Command: Sendable {
    /// As it is typed: `config get`.
    let name: String
    /// What it does, in one line.
    let summary: String
    var operands: [Operand] = []
    var options: [Option] = []
    /// What a newcomer should know besides, in whole lines.
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
