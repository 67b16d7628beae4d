internal import AlmanacHTTP
internal import AlmanacTargeting

extension FlagsRefusal: ProblemRepresentable {
    var problem: Problem {
        switch self {
        case .malformed(let fault): Problem(.invalidJSON, "the body is not valid JSON: \(fault.message)")
        case .invalidContext(let detail): Problem(.invalidContext, detail)
        case .flagNotFound(let key): Problem(.flagNotFound, "there is no flag '\(key)' that you may evaluate")
        case .flagNotInMajor(let key, let major, let reason):
            Problem(
                .flagNotFound,
                "the flag '\(key)' is not in major \(major): \(reason ?? "the next change of the flag reaches it")")
        case .notEvaluated(_, let fault):
            if case .broken = fault {
                Problem(.flagBroken, fault.details)
            } else {
                Problem(.flagNotEvaluated, fault.details)
            }
        case .limitExceeded(let detail): Problem(.flagNotEvaluated, detail)
        }
    }
}
