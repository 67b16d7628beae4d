internal import AlmanacPOSIX

/// A question that is asked before something that can't be undone, unless `--yes` was given.
struct Confirmation {
    private let isAsked: Bool

    /// - Parameter what: what will be done, after "this".
    /// - Throws: where there is nobody to ask.
    init(_ arguments: Arguments, _ what: String) throws(UsageFailure) {
        isAsked = !arguments.has(Option.yes.name) && !arguments.has(Option.dryRun.name)
        if isAsked, !Terminal.isInput || !Terminal.isErrors { throw UsageFailure("this \(what); give --yes") }
    }

    /// Whether it may be done; says so where not.
    ///
    /// - Parameter word: what is to be typed; nil takes a yes.
    func isGiven(_ question: String, typing word: String? = nil) -> Bool {
        guard isAsked else { return true }
        Terminal.show(question + (word == nil ? " [y/N] " : ": "))
        let answer = readLine()
        let isGiven = word.map { $0 == answer } ?? ["y", "yes"].contains(answer?.lowercased())
        if !isGiven { Process.report("nothing was done") }
        return isGiven
    }
}
