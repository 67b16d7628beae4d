public import AlmanacFastCGI

/// One request for events: what the endpoint works with, and the stream that it has decided to begin.
public final class EventsVisit {
    let context: EventsContext
    var opening: Opening?

    public init(_ context: EventsContext) {
        self.context = context
    }

    /// Whether the answer goes on after its header.
    public var isOpenEnded: Bool { opening != nil }

    /// Begins the stream on the answer whose header has been sent.
    public func begin(on answer: OpenAnswer) {
        guard let opening else { return }
        // The thread keeps the visit until its next request; the seat must not be taken for as long.
        self.opening = nil
        context.hub.open(opening, on: answer)
    }
}
