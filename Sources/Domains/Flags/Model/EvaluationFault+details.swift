internal import AlmanacTargeting

// The evaluating caller may not be allowed to see the flag's rule, so the texts reveal nothing of it.
extension EvaluationFault {
    static let brokenDetails =
        "the flag's definition cannot be evaluated; a caller who may read it can request 'explain'"
    static let generalDetails =
        "the flag's rule gives no variant for this context; a caller who may read the flag can request 'explain'"

    /// The details of the fault for the evaluating caller.
    var details: String { if case .broken = self { Self.brokenDetails } else { Self.generalDetails } }
}
