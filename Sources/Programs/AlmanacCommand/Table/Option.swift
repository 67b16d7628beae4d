/// A named part of a command line: `--message TEXT`, or a flag such as `--json`.
struct Option: Sendable {
    let name: String
    var short: String? = nil
    /// What its value is called; nil for a flag.
    var value: String? = nil
    let help: String
    var isRepeated = false
    var completion = Candidates.none

    /// How it stands in a list of options: `-m, --message TEXT`.
    var usage: String { (short.map { $0 + ", " } ?? "") + name + (value.map { " " + $0 } ?? "") }
}
