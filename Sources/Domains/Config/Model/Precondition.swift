internal import AlmanacRevisions

/// The condition that a write sets on the state of the config.
struct Precondition: Equatable {
    /// The states in which the write may be done; nil for any.
    private let states: [Cursor]?

    static let none = Precondition(states: nil)

    /// - Parameter states: the one, or any of those, that the writer saw. A bare revision is one of the present
    ///   history.
    init(_ states: [Cursor]) {
        self.init(states: states)
    }

    private init(states: [Cursor]?) {
        self.states = states
    }

    /// Refuses a write when the config has moved on from the state that the writer saw.
    func check(_ head: Head) throws(ConfigRefusal) {
        guard let states, !states.contains(where: head.isAt) else { return }
        throw .movedOn(to: head)
    }
}
