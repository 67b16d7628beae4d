public import AlmanacMetrics

/// About event streams.
extension Metric {
    static let streams = Metric(
        .gauge, "almanac_streams", by: ["environment"], "Event streams that are open.")
    static let streamEvents = Metric(
        .counter, "almanac_stream_events_total", by: ["environment", "type"], "Events sent, once for each stream.")
    static let streamsClosed = Metric(
        .counter, "almanac_streams_closed_total", by: ["reason"], "Event streams that have ended.")
    static let streamDelivery = Metric(
        .histogram(bounds: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]),
        "almanac_stream_delivery_seconds",
        "Time from hearing of a change to having written it to a stream.")

    public static let ofEvents: [Metric] = [streams, streamEvents, streamsClosed, streamDelivery]
}

/// The events that the streams of an environment were sent, and how the streams ended.
struct StreamCounts: Sendable {
    /// How many events were sent, once for each stream, by their types.
    private(set) var events: [String: Int] = [:]
    /// How many streams have ended, by why: the reason of a `bye`, or one of `End`.
    private(set) var ends: [String: Int] = [:]

    /// Why a stream ended without a `bye`.
    enum End: String {
        /// The client left.
        case left
        /// The reader made no room for too long.
        case slow
        /// A long poll has been answered.
        case answered
    }

    mutating func add(_ message: Message) { events[message.type, default: 0] += 1 }

    mutating func add(_ end: End) { ends[end.rawValue, default: 0] += 1 }

    mutating func add(_ reason: Message.CloseReason) { ends[reason.rawValue, default: 0] += 1 }
}
