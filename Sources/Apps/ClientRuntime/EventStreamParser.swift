/// One dispatched event of a stream.
package struct ServerSentEvent: Equatable, Sendable {
    /// The name that `event` gave it; `message` where nothing did.
    package var type: String
    /// The lines of data, joined by line feeds.
    package var data: [UInt8]
    /// The last id of the stream, with this event or before; empty when there was none.
    package var lastEventID: String

    package init(type: String = "message", data: [UInt8], lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}

/// Takes a stream of Server-Sent Events apart (HTML Living Standard §9.2.6), however its bytes are cut.
///
/// An id takes effect with the empty line that ends its event: after a connection that broke in between,
/// ``lastEventID`` still names the event before, and the reader resumes there without a loss.
package struct EventStreamParser: Sendable {
    /// An event is longer than any that a server of this kind sends.
    package struct TooLong: Error, Equatable {
        /// In bytes.
        package let limit: Int

        package init(limit: Int) {
            self.limit = limit
        }
    }

    /// The id to resume behind; empty when the stream has had none.
    package private(set) var lastEventID: String
    /// How long to wait before the next connection, as the server has said; nil when it has not.
    package private(set) var retry: Duration?

    private let limit: Int
    private var line: [UInt8] = []
    private var endsWithReturn = false
    private var isFirstLine = true
    // The buffers of the event that has not ended yet.
    private var data: [UInt8] = []
    private var hasData = false
    private var type = ""
    private var id: String

    /// - Parameters:
    ///   - lastEventID: that of an earlier stream which this one goes on from.
    ///   - limit: the most bytes of one event, its unfinished line included.
    package init(lastEventID: String = "", limit: Int = 1 << 20) {
        self.lastEventID = lastEventID
        id = lastEventID
        self.limit = limit
    }

    /// Takes the next bytes.
    ///
    /// - Returns: the events that end with them.
    package mutating func parse(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            let followsReturn = endsWithReturn
            endsWithReturn = byte == UInt8(ascii: "\r")
            switch byte {
            case UInt8(ascii: "\n") where followsReturn: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if let event = endLine() { events.append(event) }
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
