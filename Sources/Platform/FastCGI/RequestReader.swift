internal import AlmanacCLinux
internal import AlmanacPOSIX
internal import Glibc

/// A reader of a web server's records on one connection (FastCGI 1.0 §3.3) that refuses malformed input.
struct RequestReader {
    private let descriptor: Int32
    /// A buffer whose bytes from `position` to `end` have been received and not been used.
    private var received = [UInt8](repeating: 0, count: capacity)
    private var position = 0
    private var end = 0
    /// The id of the current request; `bodyHasEnded` is true once its body has ended.
    private var request: UInt16 = 0
    private var bodyHasEnded = true
    /// The unread bytes of the current record.
    private var content = 0
    private var padding = 0

    /// The limit on the parameters of one request, in bytes. nginx accepts 64 KiB of header fields.
    static let maxParameterBytes = 128 << 10
    private static let maxRecordBytes = 65_535
    private static let capacity = 8192

    init(of descriptor: Int32) { self.descriptor = descriptor }

    /// The head of the current request if it did not arrive in the usual form, else empty.
    private var records: [UInt8] = []

    private enum RecordType {
        static let begin: UInt8 = 1
        static let end: UInt8 = 3
        static let parameters: UInt8 = 4
        static let input: UInt8 = 5
    }

    private struct Header {
        let type: UInt8
        let request: UInt16
        let length: Int
        let padding: Int

        /// Reads the eight bytes at an offset.
        init(_ bytes: [UInt8], at offset: Int = 0) {
            type = bytes[offset + 1]
            request = UInt16(bytes[offset + 2]) << 8 | UInt16(bytes[offset + 3])
            length = Int(bytes[offset + 4]) << 8 | Int(bytes[offset + 5])
            padding = Int(bytes[offset + 6])
        }
    }

    /// True if more bytes may have arrived than the buffer had room for.
    var mayHaveUnread: Bool { end == received.count }

    /// True if no bytes were received beyond the end of the last request.
    var isAtEnd: Bool { position == end }

    /// Passes the validated head of the current request to a closure: its beginning, parameters, and their end.
    func withHead<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe records.isEmpty
            ? received.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[..<position])) }
            : records.withUnsafeBytes { unsafe body($0) }
    }

    /// Reads the next request to the end of its parameters, within a time limit that starts with the first byte.
    mutating func readHead(within limit: Duration) throws(RequestFailure) -> ParameterLengths {
        records = []
        if isAtEnd { try receive() }
        if position == 0, let parameters = takeUsualHead() { return parameters }
        let start = ContinuousClock.now
        let beginning = try header()
        guard beginning.type == RecordType.begin, beginning.request > 0, beginning.length == 8 else {
            throw .malformed("a request must begin with FCGI_BEGIN_REQUEST")
        }
        let body = try take(8)
        guard body[0] == 0, (1...3).contains(body[1]) else { throw .malformed("the role of the request is unknown") }
        request = beginning.request
        bodyHasEnded = false
        var parameters: [UInt8] = []
        while let length = try next(RecordType.parameters) {
            guard parameters.count + length <= Self.maxParameterBytes else {
                throw .malformed("the parameters have more than \(Self.maxParameterBytes) bytes")
            }
            parameters += try take(length)
            guard ContinuousClock.now - start < limit else { throw .malformed("the parameters took too long") }
        }
        guard let lengths = ParameterLengths(of: parameters.span) else {
            throw .malformed("the lengths of the parameters are inconsistent")
        }
        records = records(beginning: body, parameters)
        return lengths
    }

    /// Takes a head in nginx's usual form from the start of the buffer: the beginning, one record of parameters, and
    /// their end. Returns nil, and takes nothing, for any other content.
    private mutating func takeUsualHead() -> ParameterLengths? {
        let own = Header(received).request
        var next = 0
        /// Returns the next record of the request; nil if the buffer has no more, or a record of another request.
        func record(_ type: UInt8) -> Header? {
            guard next + 8 <= end, received[next] == 1 else { return nil }
            let header = Header(received, at: next)
            next += 8 + header.length + header.padding
            return header.type == type && header.request == own ? header : nil
        }
        guard own > 0, let beginning = record(RecordType.begin), beginning.length == 8, beginning.padding == 0,
            end >= next, received[8] == 0, (1...3).contains(received[9]),
            let parameters = record(RecordType.parameters), parameters.length > 0,
            let last = record(RecordType.parameters), last.length == 0, next <= end,
            let lengths = ParameterLengths(of: received.span.extracting(24..<24 + parameters.length))
        else { return nil }
        request = own
        bodyHasEnded = false
        position = next
        return lengths
    }

    /// Reads exactly that many bytes of the request body. Returns nil if the body ends earlier.
    mutating func body(count: Int) throws(RequestFailure) -> [UInt8]? {
        var body: [UInt8] = []
        body.reserveCapacity(count)
        while body.count < count {
            if content == 0, try nextOfBody() == nil { return nil }
            let part = try available(count - body.count)
            body += part
        }
        return body
    }

    /// Reads the remaining request body, so that the next request begins at a record boundary.
    mutating func skipBody() throws(RequestFailure) {
        while !bodyHasEnded {
            try skipContent()
            _ = try nextOfBody()
        }
        try skipPadding()
    }

    private mutating func nextOfBody() throws(RequestFailure) -> Int? {
        if bodyHasEnded { return nil }
        let length = try next(RecordType.input)
        bodyHasEnded = length == nil
        return length
    }

    /// Reads the header of the stream's next record. Returns its content length, or nil at the end of the stream.
    private mutating func next(_ type: UInt8) throws(RequestFailure) -> Int? {
        while true {
            let header = try header()
            // nginx never requests management values, and a response of libfcgi would not be bounded.
            if header.request == 0 { throw .malformed("management records are not supported") }
            if header.request == request {
                guard header.type == type else { throw .malformed("a record of type \(header.type) was not expected") }
                return header.length == 0 ? nil : header.length
            }
            if header.type == RecordType.begin { refuse(header.request) }
            try skipContent()
        }
    }

    /// Refuses a second, concurrent request on the connection (FCGI_CANT_MPX_CONN, §5.5).
    private func refuse(_ other: UInt16) {
        let record: [UInt8] = [
            1, RecordType.end, UInt8(other >> 8), UInt8(other & 255), 0, 8, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
        ]
        // Safe because send reads only the given number of bytes. A closed connection is detected later.
        _ = unsafe record.withUnsafeBytes { bytes in
            unsafe send(descriptor, bytes.baseAddress!, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    private mutating func header() throws(RequestFailure) -> Header {
        try skipPadding()
        if position == end { try receive() }
        guard received[position] == 1 else { throw .malformed("the version of the protocol is not 1") }
        content = 8
        let header = Header(try take(8))
        (content, padding) = (header.length, header.padding)
        return header
    }

    /// Reads exactly that many bytes of the record's content.
    private mutating func take(_ count: Int) throws(RequestFailure) -> [UInt8] {
        var taken = Array(try available(count))
        while taken.count < count { taken += try available(count - taken.count) }
        return taken
    }

    /// Returns buffered bytes of the record's content, at least one and at most that many.
    private mutating func available(_ most: Int) throws(RequestFailure) -> ArraySlice<UInt8> {
        if position == end { try receive() }
        let part = received[position..<min(end, position + min(most, content))]
        position += part.count
        content -= part.count
        return part
    }

    private mutating func skipContent() throws(RequestFailure) { while content > 0 { _ = try available(content) } }

    private mutating func skipPadding() throws(RequestFailure) {
        content = padding
        padding = 0
        try skipContent()
    }

    /// Receives the bytes that have arrived into the empty buffer.
    mutating func receiveAtOnce() -> Arrival {
        receiveWithoutWaiting()
        return end > 0 ? .bytes : errno == EAGAIN ? .nothing : .end
    }

    /// Receives at least one byte into the empty buffer.
    private mutating func receive() throws(RequestFailure) {
        receiveWithoutWaiting()
        if end == 0, errno == EAGAIN, Poll.readable([descriptor], upTo: FastCGIConnection.timeout) != nil {
            receiveWithoutWaiting()
        }
        if end == 0 { throw .ended }
    }

    /// Receives the bytes that have arrived into the empty buffer. It stays empty, with an error in `errno`, if there
    /// are none, and without an error at the end of the connection.
    private mutating func receiveWithoutWaiting() {
        var count: Int
        errno = 0
        repeat {
            // Safe because recv writes at most the capacity and returns how much it wrote.
            count = unsafe received.withUnsafeMutableBytes { buffer in
                unsafe recv(descriptor, buffer.baseAddress!, buffer.count, Int32(MSG_DONTWAIT))
            }
        } while count < 0 && errno == EINTR
        (position, end) = (0, max(0, count))
    }

    private func records(beginning: [UInt8], _ parameters: [UInt8]) -> [UInt8] {
        func header(_ type: UInt8, _ length: Int) -> [UInt8] {
            [1, type, UInt8(request >> 8), UInt8(request & 255), UInt8(length >> 8), UInt8(length & 255), 0, 0]
        }
        var records: [UInt8] = []
        records.reserveCapacity(parameters.count + 48)
        records += header(RecordType.begin, beginning.count)
        records += beginning
        var rest = parameters[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.maxRecordBytes)
            records += header(RecordType.parameters, part.count)
            records += part
            rest = rest.dropFirst(part.count)
        }
        records += header(RecordType.parameters, 0)
        return records
    }
}

/// The reason for which a connection yields no request.
enum RequestFailure: Error {
    /// The web server closed the connection, or was silent for too long.
    case ended
    /// The web server sent a malformed request; the text is the reason.
    case malformed(String)
}

/// The result of receiving bytes without waiting.
enum Arrival {
    case bytes
    case nothing
    /// The web server has closed the connection, or the connection has failed.
    case end
}
