internal import AlmanacRevisions
internal import AlmanacTimestamps

/// The condition that a write sets on the state of the config.
struct Precondition: Equatable {
    /// The states in which the write may be done; nil for any.
    private let states: [Cursor]?
    /// The states in which it may not be done.
    private let otherStates: [Cursor]
    /// A time since which the config has not changed; nil for any.
    private let unmodifiedSince: Timestamp?

    static let none = Precondition(states: nil, otherStates: [])

    /// - Parameter states: the one, or any of those, that the writer saw. A bare revision is one of the present
    ///   history.
    init(_ states: [Cursor]) { self.init(states: states, otherStates: []) }

    /// - Parameters:
    ///   - states: nil for any.
    ///   - otherStates: those that the writer knows, and does not want to change.
    ///   - unmodifiedSince: nil for any.
    init(states: [Cursor]?, otherStates: [Cursor], unmodifiedSince: Timestamp? = nil) {
        (self.states, self.otherStates, self.unmodifiedSince) = (states, otherStates, unmodifiedSince)
    }

    /// Refuses a write when the config has moved on from the state that the writer saw, or has not.
    func check(_ head: Head) throws(ConfigRefusal) {
        if let states, !states.contains(where: head.isAt) { throw .movedOn(to: head) }
        if let unmodifiedSince, head.lastModified.isAfter(unmodifiedSince) { throw .movedOn(to: head) }
        if otherStates.contains(where: head.isAt) { throw .stillThere(head) }
    }
}
