internal import AlmanacHTTP
internal import AlmanacPostgreSQL

extension RequestRecord {
    /// Records the problem for an error, and returns it.
    func recordProblem(of error: any Error) -> Problem {
        let problem = Problem(translating: error)
        // The client has disconnected, so nobody gets the problem.
        if error is ClientGone { return problem }
        self.problem = problem.kind.rawValue
        status = problem.kind.status
        // An error that no endpoint chose as its answer is unexpected, so the operator needs the reason.
        if problem.kind.status >= 500, !(error is Problem || error is any ProblemRepresentable) {
            reason = "\(error)"
        } else if let text = problem.reason {
            reason = text
        }
        return problem
    }
}

extension Problem {
    /// Creates the problem for an error that ended a request.
    fileprivate init(translating error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let refusal as any ProblemRepresentable: self = refusal.problem
        case PostgresFailure.lost:
            self.init(
                .databaseAway,
                "the connection to the database was lost; the change may have been made, so read before you repeat it",
                headers: [("Retry-After", "1")])
        case let failure as PostgresFailure where failure.state == .queryCanceled:
            self.init(
                .tookTooLong,
                "the database took too long; part of a batch may be done, so send the batch again, or a smaller one",
                headers: [("Retry-After", "1")])
        case let failure as PostgresFailure where failure.isRetryable:
            self.init(
                .databaseAway, "the database is unavailable; nothing was changed, try again",
                headers: [("Retry-After", "1")])
        default: self.init(.internalError, "the request failed; the log has the reason with this request's id")
        }
    }
}

extension PostgresFailure {
    /// True if the same request may succeed a moment later.
    fileprivate var isRetryable: Bool {
        switch self {
        case .busy: true
        case .refused(let error): isUnavailable || error.state.isTransient
        default: isUnavailable
        }
    }
}
