/// The stored state of a proposal. Everything else, such as "approved", is computed when it is read.
public enum ProposalState: Sendable, Equatable {
    /// Its authors work on it.
    case draft
    /// The proposal waits for reviews, for its time or to be applied.
    case open
    /// Its release was made, or others had made all of its changes.
    case applied
    case closed(Reason)

    public enum Reason: String, Sendable {
        case withdrawn, expired, restored
        /// A purge removed the last key.
        case purged
    }

    /// A step that a person or the clock takes.
    public enum Step: Sendable, Equatable {
        case submit, recall, edit, review, apply
        case close(Reason)
    }

    /// Returns the state after a step, or nil if the step is not possible.
    public func after(_ step: Step) -> ProposalState? {
        switch (self, step) {
        case (.draft, .submit): .open
        case (.open, .recall): .draft
        case (.draft, .edit), (.open, .edit): self
        case (.open, .review): .open
        case (.open, .apply): .applied
        case (.draft, .close(let reason)), (.open, .close(let reason)): .closed(reason)
        default: nil
        }
    }
}
