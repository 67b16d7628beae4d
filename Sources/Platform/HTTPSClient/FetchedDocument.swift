internal import AlmanacTransport

/// The body of an answer with the status 200.
public struct FetchedDocument: Sendable {
    public let body: [UInt8]
    private let headers: HeaderFields

    init(body: [UInt8], headers: HeaderFields) {
        self.body = body
        self.headers = headers
    }

    /// The values of every header of that name, in any case, joined by commas (RFC 9110 §5.3).
    public func header(_ name: String) -> String? { headers[name] }
}
