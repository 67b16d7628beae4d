/// Takes the bytes of an event stream apart ("Server-sent events", HTML Standard §9.2.6), however they are cut.
public struct EventParser: Sendable {
    private var line: [UInt8] = []
    private var endsWithReturn = false
    private var isAtStart = true
    private var data: [String] = []
    private var id: String
    /// How long the server asks to wait before the next connection, in milliseconds; nil when it has not said.
    public private(set) var retry: Int64?

    private let longestLine: Int

    /// - Parameters:
    ///   - id: the newest of an earlier stream.
    ///   - longestLine: in bytes.
    public init(lastID id: String = "", longestLine: Int = 32 << 20) {
        self.id = id
        self.longestLine = longestLine
    }

    /// Takes the next bytes.
    ///
    /// - Returns: the events that end with them; nil when the stream has a line longer than any event.
    public mutating func read(_ bytes: [UInt8]) -> [ServerSentEvent]? {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            let isSecondHalf = endsWithReturn && byte == 10
            endsWithReturn = byte == 13
            if isSecondHalf { continue }
            guard byte == 10 || byte == 13 else {
                line.append(byte)
                if line.count > longestLine { return nil }
                continue
            }
            if let event = endLine() { events.append(event) }
        }
        return events
    }

    private mutating func endLine() -> ServerSentEvent? {
        var text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        if isAtStart, text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        isAtStart = false
        guard !text.isEmpty else {
            defer { data = [] }
            return data.isEmpty ? nil : ServerSentEvent(data: data.joined(separator: "\n"), id: id)
        }
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
        if value.utf8.first == UInt8(ascii: " ") { value = String(decoding: value.utf8.dropFirst(), as: UTF8.self) }
        switch String(decoding: parts[0], as: UTF8.self) {
        case "data": data.append(value)
        case "id": if !value.utf8.contains(0) { id = value }
        case "retry": if value.utf8.allSatisfy({ (48...57).contains($0) }) { retry = Int64(value) ?? retry }
        default: break
        }
        return nil
    }
}
