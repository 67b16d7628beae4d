/// The outcome of one look at one part of an installation.
public struct Finding: Sendable, Equatable {
    public enum Outcome: String, Sendable {
        case good
        /// Works now, but will not for long.
        case warning
        case failed
        /// Nobody looked, for a reason that the text gives.
        case skipped
    }

    public let outcome: Outcome
    /// The part that was looked at, always in the same words: `database`, `schema`, `certificate`, …
    public let check: String
    /// Where: an environment's name, a URL, a path; empty where there is only one.
    public let place: String
    public let text: String
    /// The advice for the operator; empty where nothing is to be done.
    public let advice: String

    static func good(_ check: String, _ place: String, _ text: String) -> Finding {
        Finding(outcome: .good, check: check, place: place, text: text, advice: "")
    }

    static func failed(_ check: String, _ place: String, _ text: String, advice: String) -> Finding {
        Finding(outcome: .failed, check: check, place: place, text: text, advice: advice)
    }

    static func warning(_ check: String, _ place: String, _ text: String, advice: String) -> Finding {
        Finding(outcome: .warning, check: check, place: place, text: text, advice: advice)
    }

    static func skipped(_ check: String, _ place: String, _ text: String, advice: String = "") -> Finding {
        Finding(outcome: .skipped, check: check, place: place, text: text, advice: advice)
    }
}
