/// A response of a server: its head, and its body either whole or as it arrives.
///
/// - `TransportResponse<ByteStream>`: the body comes part by part; letting go of it ends the exchange.
/// - `TransportResponse<[UInt8]>`: the body has arrived.
public struct TransportResponse<Body: Sendable>: Sendable {
    public var status: Int
    public var headers: HeaderFields
    public var body: Body

    public init(status: Int, headers: HeaderFields = HeaderFields(), body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public init(status: Int, headers: [(name: String, value: String)], body: Body) {
        self.init(status: status, headers: HeaderFields(headers), body: body)
    }
}

/// The parts of a body as they arrive; throws ``TransportFailure``.
public typealias ByteStream = AsyncThrowingStream<[UInt8], any Error>

extension TransportResponse<ByteStream> {
    /// A response whose body is known, for transports that have it already.
    public init(status: Int, headers: [(name: String, value: String)] = [], bytes: [UInt8]) {
        let stream = ByteStream { continuation in
            continuation.yield(bytes)
            continuation.finish()
        }
        self.init(status: status, headers: headers, body: stream)
    }

    /// The response once its whole body has arrived.
    ///
    /// - Parameter limit: the most bytes of the body; nil takes any number.
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
        // A cancelled task sees the body end early, which is no whole body.
        guard !Task.isCancelled else { throw .cancelled }
        return TransportResponse<[UInt8]>(status: status, headers: headers, body: bytes)
    }
}

/// The header fields of a response, in the order in which they came.
public struct HeaderFields: Sendable, ExpressibleByDictionaryLiteral {
    public var fields: [(name: String, value: String)]

    public init(_ fields: [(name: String, value: String)] = []) {
        self.fields = fields
    }

    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }

    /// The values of every field of that name, in any case, joined by commas (RFC 9110 §5.3); nil when there is none.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        let values = fields.filter { $0.name.lowercased() == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
