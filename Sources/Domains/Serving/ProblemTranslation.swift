internal import AlmanacHTTP
internal import AlmanacPostgreSQL

extension RequestRecord {
    /// Notes the problem that an error is answered with, and returns it.
    mutating func noteProblem(of error: any Error) -> Problem {
        let problem = Problem(translating: error)
        // Nobody sees it, and nobody has to.
        if error is ClientGone { return problem }
        self.problem = problem.kind.rawValue
        status = problem.kind.status
        // A problem that an endpoint chose is an answer like any other; one that it did not foresee is for the
        // operator.
        if problem.kind.status >= 500, !(error is Problem || error is any ProblemRepresentable) {
            reason = "\(error)"
        }
        return problem
    }
}

extension Problem {
    /// The problem that a client gets for any error that ended its request.
    fileprivate init(translating error: any Error) {
        switch error {
        case let problem as Problem:
            self = problem
        case let refusal as any ProblemRepresentable:
            self = refusal.problem
        case PostgresFailure.lost:
            self.init(
                .databaseAway,
                "the connection to the database was lost; a change may have been made: read before you repeat it",
                headers: [("Retry-After", "1")])
        case let failure as PostgresFailure where failure.state == .queryCanceled:
            self.init(
                .tookTooLong,
                "the database took longer than is allowed; of a batch a part may be done: send it again, or less",
                headers: [("Retry-After", "1")])
        case let failure as PostgresFailure where failure.isRetryable:
            self.init(
                .databaseAway, "the database cannot be used right now; nothing was changed: try again",
                headers: [("Retry-After", "1")])
        default:
            self.init(.internalError, "the request failed; the log tells why, under this request's id")
        }
    }
}

extension PostgresFailure {
    /// Tells whether the same request may well succeed a moment later.
    fileprivate var isRetryable: Bool {
        switch self {
        case .busy: true
        case .refused(let error): isAway || error.state.isTransient
        default: isAway
        }
    }
}
