/// A response of a server: its head, and its body either complete or streamed.
///
/// - `TransportResponse<ByteStream>`: the body is streamed; releasing the stream ends the transfer.
/// - `TransportResponse<[UInt8]>`: the body is complete.
public struct TransportResponse<Body: Sendable>: Sendable {
    /// The HTTP status code.
    public var status: Int
    /// The header fields of the final response.
    public var headers: HeaderFields
    /// The bytes, or a stream of them.
    public var body: Body

    /// Creates a response from header fields.
    public init(status: Int, headers: HeaderFields = HeaderFields(), body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a response from names and values, for tests and an app's own transports.
    public init(status: Int, headers: [(name: String, value: String)], body: Body) {
        self.init(status: status, headers: HeaderFields(headers), body: body)
    }
}

/// The parts of a body as they arrive; throws ``TransportFailure``.
public typealias ByteStream = AsyncThrowingStream<[UInt8], any Error>

extension TransportResponse<ByteStream> {
    /// Creates a response with a complete body, for transports that don't stream.
    public init(status: Int, headers: [(name: String, value: String)] = [], bytes: [UInt8]) {
        let stream = ByteStream { continuation in
            continuation.yield(bytes)
            continuation.finish()
        }
        self.init(status: status, headers: headers, body: stream)
    }

    /// Returns the response once its whole body has arrived.
    ///
    /// - Parameter limit: The limit on the body, in bytes, or nil.
    public func whole(limit: Int? = nil) async throws(TransportFailure) -> TransportResponse<[UInt8]> {
        var bytes: [UInt8] = []
        do {
            for try await part in body {
                bytes += part
                if let limit, bytes.count > limit { throw TransportFailure.tooLarge(limit: limit) }
            }
        } catch {
            throw error as? TransportFailure ?? .unreachable("\(error)")
        }
        // The stream of a cancelled task ends early, so the body is incomplete.
        guard !Task.isCancelled else { throw .cancelled }
        return TransportResponse<[UInt8]>(status: status, headers: headers, body: bytes)
    }
}

/// The header fields of a response, in the order received.
public struct HeaderFields: Sendable, ExpressibleByDictionaryLiteral {
    /// The names and values, in the order received.
    public var fields: [(name: String, value: String)]

    /// Creates header fields in the given order.
    public init(_ fields: [(name: String, value: String)] = []) { self.fields = fields }

    public init(dictionaryLiteral elements: (String, String)...) { fields = elements.map { (name: $0.0, value: $0.1) } }

    /// Returns the values of that name in any case, joined by commas (RFC 9110 §5.3), or nil if there is none.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        let values = fields.filter { $0.name.lowercased() == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
