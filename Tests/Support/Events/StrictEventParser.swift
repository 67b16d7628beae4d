internal import AlmanacClientRuntime
public import AlmanacJSON

/// A parser of Server-Sent Events that accepts only the form our own streams write.
///
/// It parses an event with the runtime's parser, writes the event again, and requires the same bytes.
public struct StrictEventParser: Sendable {
    private var parser = EventStreamParser(limit: 64 << 20)
    private var unread: [UInt8] = []

    /// A fault in the form of a stream.
    public struct Malformed: Error, CustomStringConvertible { public let description: String }

    public init() {}

    /// True if every received byte belongs to a complete event.
    public var isAtEnd: Bool { unread.isEmpty }

    /// Adds bytes of the stream and returns the events that they complete.
    public mutating func parse(_ bytes: some Sequence<UInt8>) throws -> [SentEvent] {
        unread += bytes
        var events: [SentEvent] = []
        var start = 0
        while let end = unread[start...].firstRange(of: [10, 10]) {
            events.append(try event(unread[start..<end.upperBound]))
            start = end.upperBound
        }
        unread.removeFirst(start)
        return events
    }

    private mutating func event(_ bytes: ArraySlice<UInt8>) throws -> SentEvent {
        let hasID = bytes.starts(with: "id: ".utf8)
        guard let event = try parser.parse(bytes).first,
            Self.written(event, hasID: hasID).elementsEqual(bytes),
            let data = try JSONValue(parsing: event.data).objectValue
        else { throw Malformed(description: "no event: \(String(decoding: bytes, as: UTF8.self))") }
        return SentEvent(id: hasID ? event.lastEventID : nil, data: data)
    }

    private static func written(_ event: ServerSentEvent, hasID: Bool) -> [UInt8] {
        let head = (hasID ? "id: \(event.lastEventID)\n" : "") + "event: message\ndata: "
        return Array(head.utf8) + event.data + [10, 10]
    }
}

/// An event as a client receives it.
public struct SentEvent: Sendable {
    /// The event's own `id`, or nil if it has none.
    public let id: String?
    /// The JSON object in the event's data.
    public let data: JSONObject

    public var type: String { text("type") ?? "" }

    public func text(_ name: String) -> String? { data[name]?.stringValue }

    public func number(_ name: String) -> Int64? { data[name]?.numberValue?.int64 }
}

extension SentEvent: CustomStringConvertible {
    public var description: String { "\(id ?? "-") \(JSONValue.object(data))" }
}
