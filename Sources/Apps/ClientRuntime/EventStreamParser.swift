/// A dispatched Server-Sent Event.
package struct ServerSentEvent: Equatable, Sendable {
    /// The event's name from its `event` field; `message` by default.
    package var type: String
    /// The `data` fields, joined by line feeds.
    package var data: [UInt8]
    /// The stream's last id up to this event; empty if there was none.
    package var lastEventID: String

    package init(type: String = "message", data: [UInt8], lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}

/// An incremental parser of Server-Sent Events (HTML Living Standard §9.2.6).
///
/// An id takes effect with the empty line that ends its event. If the connection breaks before that line,
/// ``lastEventID`` still names the previous event, so a reader resumes there without a loss.
package struct EventStreamParser: Sendable {
    /// The failure for an event that exceeds the size limit.
    package struct TooLong: Error, Equatable {
        /// The limit, in bytes.
        package let limit: Int

        package init(limit: Int) { self.limit = limit }
    }

    /// The id to resume after; empty if the stream has sent none.
    package private(set) var lastEventID: String
    /// The reconnect delay from the stream's `retry` field; nil if there was none.
    package private(set) var retry: Duration?

    private let limit: Int
    private var line: [UInt8] = []
    private var endsWithReturn = false
    private var isFirstLine = true
    // Buffers of the unfinished event.
    private var data: [UInt8] = []
    private var hasData = false
    private var type = ""
    private var id: String

    /// - Parameters:
    ///   - lastEventID: the last id of the earlier stream that this stream resumes.
    ///   - limit: the upper bound of an event's size with its unfinished line, in bytes.
    package init(lastEventID: String = "", limit: Int = 1 << 20) {
        self.lastEventID = lastEventID
        id = lastEventID
        self.limit = limit
    }

    /// Parses the next bytes and returns the events that they complete.
    package mutating func parse(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            let followsReturn = endsWithReturn
            endsWithReturn = byte == UInt8(ascii: "\r")
            switch byte {
            case UInt8(ascii: "\n") where followsReturn: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): if let event = endLine() { events.append(event) }
            default:
                line.append(byte)
                guard line.count + data.count <= limit else { throw TooLong(limit: limit) }
            }
        }
        return events
    }

    private mutating func endLine() -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isFirstLine = false
        guard line.isEmpty else {
            takeField()
            return nil
        }
        lastEventID = id
        defer { (data, hasData, type) = ([], false, "") }
        guard hasData else { return nil }
        return ServerSentEvent(type: type.isEmpty ? "message" : type, data: data, lastEventID: id)
    }

    private mutating func takeField() {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: name, as: UTF8.self) {
        case "data":
            if hasData { data.append(UInt8(ascii: "\n")) }
            data += value
            hasData = true
        case "event": type = String(decoding: value, as: UTF8.self)
        case "id" where !value.contains(0): id = String(decoding: value, as: UTF8.self)
        case "retry" where !value.isEmpty && value.allSatisfy { (0x30...0x39).contains($0) }:
            if let milliseconds = Int64(String(decoding: value, as: UTF8.self)) { retry = .milliseconds(milliseconds) }
        default: break
        }
    }
}
