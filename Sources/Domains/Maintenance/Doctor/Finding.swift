/// The outcome of one check of one part of an installation.
public struct Finding: Sendable, Equatable {
    public enum Outcome: String, Sendable {
        case good
        /// The part works now, but won't for long.
        case warning
        case failed
        /// The check was not made, for the reason in the text.
        case skipped
    }

    public let outcome: Outcome
    /// The name of the check, which never varies: `database`, `schema`, `certificate`, …
    public let check: String
    /// The place of the part: an environment's name, a URL, a path; empty if there is only one.
    public let place: String
    public let text: String
    /// The advice for the operator; empty if there is nothing to do.
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
