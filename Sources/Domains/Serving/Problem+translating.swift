internal import AlmanacHTTP
internal import AlmanacPostgreSQL

extension Problem {
    /// What a client is told of any error that ended its request.
    init(translating error: any Error) {
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
    /// Whether the same request may well succeed a moment later.
    fileprivate var isRetryable: Bool {
        switch self {
        case .busy: true
        case .refused(let error): isAway || error.state.isTransient
        default: isAway
        }
    }
}
