/// Takes a stream of Server-Sent Events apart, as the WHATWG's HTML standard says (section 9.2.6).
struct EventStreamParser: Sendable {
    /// One dispatched event.
    struct Event: Equatable, Sendable {
        /// The last `id` so far.
        var id: String?
        var data: String
    }

    /// The most bytes of one event; more are no events of an Almanac server.
    let limit: Int
    private var line: [UInt8] = []
    private var data: [UInt8]?
    private var id: String?
    private var endsWithReturn = false
    private var isFirstLine = true

    init(limit: Int = 1 << 20) {
        self.limit = limit
    }

    /// - Returns: the events that the bytes complete.
    /// - Throws: ``ConfigFailure/tooLarge(limit:)``.
    mutating func feed(_ bytes: some Sequence<UInt8>) throws(ConfigFailure) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            let followsReturn = endsWithReturn
            endsWithReturn = byte == UInt8(ascii: "\r")
            switch byte {
            case UInt8(ascii: "\n") where followsReturn: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if let event = endLine() { events.append(event) }
            default:
                line.append(byte)
                if line.count + (data?.count ?? 0) > limit { throw .tooLarge(limit: limit) }
            }
        }
        return events
    }

    private mutating func endLine() -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isFirstLine = false
        if line.isEmpty {
            defer { data = nil }
            return data.map { Event(id: id, data: String(decoding: $0, as: UTF8.self)) }
        }
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count == 2 ? parts[1] : []
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        switch String(decoding: parts[0], as: UTF8.self) {
        case "data": data = data.map { $0 + [UInt8(ascii: "\n")] + value } ?? Array(value)
        case "id" where !value.contains(0): id = String(decoding: value, as: UTF8.self)
        default: break
        }
        return nil
    }
}
