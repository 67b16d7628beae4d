/// A record of the FastCGI protocol (FastCGI 1.0 §3.3).
struct Record: Equatable {
    var version: UInt8 = 1
    var type: UInt8
    var id: UInt16 = 1
    var content: [UInt8] = []
    var padding: UInt8 = 0

    static let begin: UInt8 = 1
    static let abort: UInt8 = 2
    static let end: UInt8 = 3
    static let parameters: UInt8 = 4
    static let input: UInt8 = 5
    static let output: UInt8 = 6
    static let errors: UInt8 = 7

    var bytes: [UInt8] {
        let header: [UInt8] = [
            version, type, UInt8(id >> 8), UInt8(id & 255), UInt8(content.count >> 8), UInt8(content.count & 255),
            padding, 0,
        ]
        return header + content + Array(repeating: 0, count: Int(padding))
    }

    static func begin(id: UInt16 = 1, role: UInt8 = 1, keepsConnection: Bool) -> Record {
        Record(type: begin, id: id, content: [0, role, keepsConnection ? 1 : 0, 0, 0, 0, 0, 0])
    }

    /// Returns a stream of records, closed by an empty record.
    static func stream(_ type: UInt8, id: UInt16 = 1, _ bytes: [UInt8], size: Int = 65_535, padding: UInt8 = 0)
        -> [Record]
    {
        var records: [Record] = []
        var unsent = bytes[...]
        while !unsent.isEmpty {
            records.append(Record(type: type, id: id, content: Array(unsent.prefix(size)), padding: padding))
            unsent = unsent.dropFirst(size)
        }
        return records + [Record(type: type, id: id)]
    }

    /// Encodes names and values with their lengths (§3.4).
    static func pairs(_ pairs: [(String, String)]) -> [UInt8] {
        pairs.flatMap { (name, value) -> [UInt8] in
            length(name.utf8.count) + length(value.utf8.count) + Array(name.utf8) + Array(value.utf8)
        }
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 128 { return [UInt8(count)] }
        return [UInt8(count >> 24) | 128] + [16, 8, 0].map { UInt8(count >> $0 & 255) }
    }
}

/// A request in the form that a web server sends.
struct WebServerRequest {
    var id: UInt16 = 1
    var parameters: [(String, String)] = []
    var body: [UInt8] = []
    var keepsConnection = true
    /// The number of body bytes per record.
    var recordSize = 65_535
    var padding: UInt8 = 0

    var bytes: [UInt8] {
        let all = parameters + [("CONTENT_LENGTH", "\(body.count)")]
        let records =
            [Record.begin(id: id, keepsConnection: keepsConnection)]
            + Record.stream(Record.parameters, id: id, Record.pairs(all), padding: padding)
            + Record.stream(Record.input, id: id, body, size: recordSize, padding: padding)
        return records.flatMap(\.bytes)
    }
}

/// The response to a request.
struct FastCGIResponse: Equatable {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    /// The application's status and the protocol's status, from `FCGI_END_REQUEST`.
    var status: UInt32 = 0
    var protocolStatus: UInt8 = 0

    var text: String { String(decoding: output, as: UTF8.self) }
}
