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

/// What can stand in a place, for completion.
enum Candidates: Sendable, Equatable {
    case none
    case file
    case words([String])
    /// The names in the environments file.
    case environments
    /// The names in the profile file.
    case profiles
}
