/// One event of a stream ("Server-sent events", HTML Standard §9.2).
public struct ServerSentEvent: Sendable, Equatable {
    /// The lines of data, joined by line breaks.
    public let data: String
    /// The newest id that the stream has had so far, with this event or before; empty when there was none.
    public let id: String

    public init(data: String, id: String) {
        self.data = data
        self.id = id
    }
}
