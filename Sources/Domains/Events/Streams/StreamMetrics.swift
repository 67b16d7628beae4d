public import AlmanacMetrics

extension Metric {
    static let streams = Metric(.gauge, "almanac_streams", by: ["environment"], "Event streams that are open.")
    static let streamEvents = Metric(
        .counter, "almanac_stream_events_total", by: ["environment", "type"], "Events sent, once for each stream.")
    static let streamsClosed = Metric(
        .counter, "almanac_streams_closed_total", by: ["reason"], "Event streams that have ended.")
    static let streamDelivery = Metric(
        .histogram(bounds: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]),
        "almanac_stream_delivery_seconds", "Time from the announcement of a change to its write to a stream.")

    public static let ofEvents: [Metric] = [streams, streamEvents, streamsClosed, streamDelivery]
}

/// The counts of sent events and ended streams of an environment.
struct StreamCounts: Sendable {
    /// The number of sent events by type, counted once per stream.
    private(set) var events: [String: Int] = [:]
    /// The number of ended streams by reason: the reason of a `bye`, or an `End`.
    private(set) var ends: [String: Int] = [:]

    /// The reason for the end of a stream without a `bye`.
    enum End: String {
        /// The client disconnected.
        case disconnected = "left"
        /// The reader accepted no bytes until the timeout.
        case timedOut = "slow"
        /// A long poll was answered.
        case answered
    }

    mutating func add(_ message: Message) { events[message.type, default: 0] += 1 }

    mutating func add(_ end: End) { ends[end.rawValue, default: 0] += 1 }

    mutating func add(_ reason: Message.CloseReason) { ends[reason.rawValue, default: 0] += 1 }
}
