/// Takes Server-Sent Events out of bytes as they come (HTML standard §9.2.6).
struct EventParser {
    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var endsWithReturn = false
    /// The id of the last event, which a reader sends to resume.
    private(set) var lastID: String?

    /// The longest line and the longest event, in bytes.
    static let longest = 1 << 20

    /// - Returns: the data of the events that end in these bytes.
    /// - Throws: when an event is longer than any that a server of this kind sends.
    mutating func take(_ bytes: some Sequence<UInt8>) throws(SyncFailure) -> [[UInt8]] {
        var events: [[UInt8]] = []
        for byte in bytes {
            let follows = endsWithReturn
            endsWithReturn = byte == UInt8(ascii: "\r")
            if byte == UInt8(ascii: "\n"), follows { continue }
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
                line.append(byte)
                guard line.count + data.count <= Self.longest else { throw .garbled("an event does not end") }
                continue
            }
            if line.isEmpty {
                if hasData { events.append(data) }
                (data, hasData) = ([], false)
            } else {
                takeLine()
            }
            line = []
        }
        return events
    }

    private mutating func takeLine() {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: name, as: UTF8.self) {
        case "data":
            if hasData { data.append(UInt8(ascii: "\n")) }
            data += value
            hasData = true
        case "id" where !value.contains(0): lastID = String(decoding: value, as: UTF8.self)
        default: break
        }
    }
}
