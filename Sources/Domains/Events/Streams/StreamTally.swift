/// What became of the streams of an environment, for the metrics.
struct StreamTally: Sendable {
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

    mutating func count(_ message: Message) { events[message.type, default: 0] += 1 }

    mutating func count(_ end: End) { ends[end.rawValue, default: 0] += 1 }

    mutating func count(_ farewell: Message.Farewell) { ends[farewell.rawValue, default: 0] += 1 }
}
