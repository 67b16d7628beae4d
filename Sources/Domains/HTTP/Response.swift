public import AlmanacResponseStreams

/// An HTTP response: status, header fields and body.
public struct Response: Sendable {
    public var status: Int
    public var headers: FieldLines
    public var body: Body

    /// The form of the body.
    public enum Body: Sendable {
        case bytes([UInt8])
        /// The body in pieces from `write`, so that the whole is never in memory and the length is unknown. `write`
        /// runs on the request's own thread, but never for `HEAD`. An error before the first piece is answered like any
        /// error; a later error aborts the response, which the client notices.
        case pieces(write: @Sendable (_ send: ([UInt8]) throws(ClientGone) -> Void) throws -> Void)
        /// A stream that is sent after the endpoint has returned, so that the length is unknown. `begin` is called with
        /// the connection once the header has been sent, but never for `HEAD`.
        case stream(begin: @Sendable (ResponseStream) -> Void)
    }

    public init(status: Int, headers: [(name: String, value: String)] = []) {
        self.status = status
        self.headers = FieldLines(headers)
        body = .bytes([])
    }

    public init(status: Int = 200, contentType: String = "application/json", body: [UInt8]) {
        self.status = status
        headers = FieldLines()
        headers.append(("Content-Type", contentType))
        self.body = .bytes(body)
    }

    public init(
        contentType: String = "application/json",
        pieces write: @escaping @Sendable (_ send: ([UInt8]) throws(ClientGone) -> Void) throws -> Void
    ) {
        status = 200
        headers = FieldLines([("Content-Type", contentType)])
        body = .pieces(write: write)
    }

    /// Returns a response that caches must not store, because only some callers may see it.
    public static func uncached(
        status: Int = 200, _ body: [UInt8], contentType: String = "application/json"
    ) -> Response {
        var response = Response(status: status, contentType: contentType, body: body)
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }

    /// Returns the first header field of a name.
    public func header(_ name: String) -> String? { headers[name] }

    /// The whole body; empty for a body in pieces or a stream.
    public var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }
}

/// The error for a client that has disconnected before the end of a response.
public struct ClientGone: Error {
    public init() {}
}

extension Response {
    /// The status with its reason phrase for a status line (RFC 9110 §15): `404 Not Found`.
    public var statusText: String {
        switch status {
        case 200: "200 OK"
        case 201: "201 Created"
        case 204: "204 No Content"
        case 206: "206 Partial Content"
        case 303: "303 See Other"
        case 304: "304 Not Modified"
        case 400: "400 Bad Request"
        case 401: "401 Unauthorized"
        case 403: "403 Forbidden"
        case 404: "404 Not Found"
        case 405: "405 Method Not Allowed"
        case 406: "406 Not Acceptable"
        case 409: "409 Conflict"
        case 410: "410 Gone"
        case 412: "412 Precondition Failed"
        case 413: "413 Content Too Large"
        case 415: "415 Unsupported Media Type"
        case 416: "416 Range Not Satisfiable"
        case 422: "422 Unprocessable Content"
        case 428: "428 Precondition Required"
        case 429: "429 Too Many Requests"
        case 500: "500 Internal Server Error"
        case 503: "503 Service Unavailable"
        case 507: "507 Insufficient Storage"
        default: String(status)
        }
    }
}

/// The header fields of a response as sent, one per line (RFC 9112 §5). Names may repeat.
public struct FieldLines: Sendable {
    public private(set) var bytes: [UInt8] = []

    public init(_ fields: [(name: String, value: String)] = []) {
        bytes.reserveCapacity(512)
        self += fields
    }

    public mutating func append(_ field: (name: String, value: String)) {
        append(text: field.name)
        append(line: ": ")
        append(text: field.value)
        append(line: "\r\n")
    }

    /// Appends the line of an entity tag, given without quotes.
    public mutating func append(tag: String, isWeak: Bool = false) {
        append(line: isWeak ? "ETag: W/\"" : "ETag: \"")
        append(text: tag)
        append(line: "\"\r\n")
    }

    /// Appends lines that are already encoded.
    public mutating func append(lines: [UInt8]) { bytes += lines }

    /// Appends a line that is already encoded, or a part of one.
    public mutating func append(line: StaticString) {
        // Safe because these are the literal's own bytes.
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: line.utf8Start, count: line.utf8CodeUnitCount))
    }

    private mutating func append(text: String) {
        var text = text
        // Safe because the bytes are copied.
        text.withUTF8 { unsafe bytes.append(contentsOf: $0) }
    }

    public static func += (lines: inout FieldLines, fields: [(name: String, value: String)]) {
        for field in fields { lines.append(field) }
    }

    public static func += (lines: inout FieldLines, others: FieldLines) { lines.bytes += others.bytes }

    /// The value of the first field of that name.
    public subscript(_ name: String) -> String? {
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let (found, value) = line.splitOnce(at: UInt8(ascii: ":"))
            guard String(decoding: found, as: UTF8.self).caseInsensitivelyEquals(name) else { continue }
            return value.map { String(decoding: $0.dropFirst().dropLast(), as: UTF8.self) }
        }
        return nil
    }
}
