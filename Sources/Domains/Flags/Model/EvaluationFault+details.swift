internal import AlmanacTargeting

// The evaluating caller may not be allowed to see the flag's rule, so the texts reveal nothing of it.
extension EvaluationFault {
    static let brokenDetails = "the flag's definition cannot be evaluated; who may read it sees why with 'explain'"
    static let generalDetails = "the flag's rule gave none of its variants; who may read it sees why with 'explain'"

    /// The details of the fault for the evaluating caller.
    var details: String { if case .broken = self { Self.brokenDetails } else { Self.generalDetails } }
}
