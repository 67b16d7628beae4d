internal import AlmanacPOSIX

/// A confirmation before a change that can't be undone, skipped with `--yes`.
struct Confirmation {
    private let isRequired: Bool

    /// - Parameter what: the change, worded to follow "this".
    /// - Throws: `UsageFailure` if there is no terminal to ask at.
    init(_ arguments: Arguments, _ what: String) throws(UsageFailure) {
        isRequired = !arguments.has(Option.yes.name) && !arguments.has(Option.dryRun.name)
        if isRequired, !Terminal.isInput || !Terminal.isErrors {
            throw UsageFailure("this command \(what); confirm with --yes")
        }
    }

    /// Returns true if the user confirms the change. Reports a refusal.
    ///
    /// - Parameter word: the word to type; nil accepts a yes.
    func isGiven(_ question: String, typing word: String? = nil) -> Bool {
        guard isRequired else { return true }
        Terminal.show(question + (word == nil ? " [y/N] " : ": "))
        let answer = readLine()
        let isGiven = word.map { $0 == answer } ?? ["y", "yes"].contains(answer?.lowercased())
        if !isGiven { Process.report("cancelled; nothing was done") }
        return isGiven
    }
}
