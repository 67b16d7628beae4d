/// When the server may be asked again. Times are uptimes.
struct FetchSchedule: Sendable, Equatable {
    enum Verdict: Equatable {
        case ask
        /// The last response is young enough.
        case recent
        case wait(Duration)
    }

    private(set) var backoff = Backoff(shortest: .seconds(2), longest: .seconds(900))
    private var lastResponse: Duration?
    private var notBefore: Duration?

    func verdict(at now: Duration, minimumInterval: Duration, force: Bool) -> Verdict {
        if let notBefore, now < notBefore { return .wait(notBefore - now) }
        if !force, let lastResponse, now - lastResponse < minimumInterval { return .recent }
        return .ask
    }

    /// - Parameter age: how long ago the response came, for one from an earlier run.
    mutating func succeeded(at now: Duration, age: Duration = .zero) {
        lastResponse = now - age
        backoff.reset()
        notBefore = nil
    }

    mutating func failed(at now: Duration, retryAfter: Duration?, random: any RandomSource) {
        notBefore = now + backoff.next(retryAfter: retryAfter, random: random)
    }
}
