#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// When the server may be asked again. Times are uptimes.
package struct FetchSchedule: Sendable, Equatable {
    package enum Verdict: Equatable {
        case ask
        /// The last response is young enough.
        case recent
        case wait(Duration)
    }

    package private(set) var backoff = Backoff(shortest: .seconds(2), longest: .seconds(900))
    private var lastResponse: Duration?
    private var notBefore: Duration?
    /// As long as the server itself has asked to wait.
    private var serverWantsNotBefore: Duration?

    package init() {}

    /// - Parameter lastResponse: when the last response of an earlier run came. One from the future means that the
    ///   clock was moved: then its age is unknown, and it counts as old.
    package init(lastResponse: Date?, _ clock: any ClientClock) {
        let age = lastResponse.map { clock.date.timeIntervalSince($0) } ?? -1
        if age >= 0, age < 1e9 { succeeded(at: clock.uptime, age: .seconds(age)) }
    }

    package func verdict(at now: Duration, minimumInterval: Duration, force: Bool) -> Verdict {
        if let notBefore, now < notBefore { return .wait(notBefore - now) }
        if !force, let lastResponse, now - lastResponse < minimumInterval { return .recent }
        return .ask
    }

    /// - Parameter age: how long ago the response came, for one from an earlier run.
    package mutating func succeeded(at now: Duration, age: Duration = .zero) {
        lastResponse = now - age
        backoff.reset()
        notBefore = nil
        serverWantsNotBefore = nil
    }

    package mutating func failed(at now: Duration, retryAfter: Duration?, random: any RandomSource) {
        let wait = backoff.next(retryAfter: retryAfter, random: random)
        notBefore = now + wait
        if retryAfter != nil { serverWantsNotBefore = notBefore }
    }

    /// Lets something else be asked for at once, unless the server wants to be left alone.
    package mutating func beginAnew() {
        self = FetchSchedule(notBefore: serverWantsNotBefore)
    }

    private init(notBefore: Duration?) {
        (self.notBefore, serverWantsNotBefore) = (notBefore, notBefore)
    }
}
