internal import AlmanacJSON

/// Takes a stream of Server-Sent Events apart, as strictly as our own streams are written (HTML standard §9.2).
public struct EventStreamParser: Sendable {
    private var unread: [UInt8] = []

    /// What a stream must not contain.
    public struct Malformed: Error, CustomStringConvertible {
        public let description: String
    }

    public init() {}

    /// Whether everything that came belongs to an event that is complete.
    public var isAtEnd: Bool { unread.isEmpty }

    /// Takes bytes of the stream, and gives the events that they complete.
    public mutating func take(_ bytes: some Sequence<UInt8>) throws -> [SentEvent] {
        unread += bytes
        var events: [SentEvent] = []
        var start = 0
        while let end = unread[start...].firstRange(of: [10, 10]) {
            events.append(try Self.event(unread[start..<end.lowerBound]))
            start = end.upperBound
        }
        unread.removeFirst(start)
        return events
    }

    private static func event(_ bytes: ArraySlice<UInt8>) throws -> SentEvent {
        var lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        var id: String?
        if lines.count == 3, lines[0].hasPrefix("id: ") { id = String(lines.removeFirst().dropFirst(4)) }
        guard lines.count == 2, lines[0] == "event: message", lines[1].hasPrefix("data: "),
            let data = try JSONValue(parsing: Array(lines[1].utf8.dropFirst(6))).objectValue
        else { throw Malformed(description: "no event: \(String(decoding: bytes, as: UTF8.self))") }
        return SentEvent(id: id, data: data)
    }
}
