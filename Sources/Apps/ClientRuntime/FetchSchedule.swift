#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A schedule that decides when the next request may be sent. Times are uptimes.
package struct FetchSchedule: Sendable, Equatable {
    package enum Verdict: Equatable {
        case fetch
        /// The last response is recent enough.
        case fresh
        case wait(Duration)
    }

    package private(set) var backoff = Backoff(minDelay: .seconds(2), maxDelay: .seconds(900))
    private var lastResponse: Duration?
    private var notBefore: Duration?
    /// The end of the server's `Retry-After`.
    private var retryAfterDeadline: Duration?

    package init() {}

    /// - Parameter lastResponse: the time of an earlier run's last response. A time in the future counts as old: the
    ///   clock was changed, so the age is unknown.
    package init(lastResponse: Date?, _ clock: any ClientClock) {
        let age = lastResponse.map { clock.date.timeIntervalSince($0) } ?? -1
        if age >= 0, age < 1e9 { succeeded(at: clock.uptime, age: .seconds(age)) }
    }

    package func verdict(at now: Duration, minimumInterval: Duration, force: Bool) -> Verdict {
        if let notBefore, now < notBefore { return .wait(notBefore - now) }
        if !force, let lastResponse, now - lastResponse < minimumInterval { return .fresh }
        return .fetch
    }

    /// - Parameter age: the age of the response, if it came in an earlier run.
    package mutating func succeeded(at now: Duration, age: Duration = .zero) {
        lastResponse = now - age
        backoff.reset()
        notBefore = nil
        retryAfterDeadline = nil
    }

    package mutating func failed(at now: Duration, retryAfter: Duration?, random: any RandomSource) {
        let wait = backoff.next(retryAfter: retryAfter, random: random)
        notBefore = now + wait
        if retryAfter != nil { retryAfterDeadline = notBefore }
    }

    /// Allows an immediate request for other values, except during the server's `Retry-After`.
    package mutating func resetKeepingRetryAfter() { self = FetchSchedule(notBefore: retryAfterDeadline) }

    private init(notBefore: Duration?) { (self.notBefore, retryAfterDeadline) = (notBefore, notBefore) }
}
