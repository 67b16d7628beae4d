internal import AlmanacTargeting

// Whoever evaluates a flag need not be allowed to see its rule, so nothing of that is told.
extension EvaluationFault {
    static let brokenDetails = "the flag's definition cannot be evaluated; who may read it sees why with 'explain'"
    static let generalDetails = "the flag's rule gave none of its variants; who may read it sees why with 'explain'"

    /// What went wrong, for whoever evaluates the flag.
    var details: String { if case .broken = self { Self.brokenDetails } else { Self.generalDetails } }
}
