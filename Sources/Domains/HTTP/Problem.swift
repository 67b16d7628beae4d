internal import AlmanacJSON

/// An error as the client is told of it: a problem document (RFC 9457).
///
/// Nothing private goes into one: no SQL, no host name, no secret, no stack trace.
public struct Problem: Error, Sendable {
    public let kind: ProblemKind
    /// What was wrong, and what was expected instead.
    public let detail: String
    /// Header fields that belong to the status, such as `Allow` or `Retry-After`.
    public var headers: [(name: String, value: String)]

    public init(_ kind: ProblemKind, _ detail: String, headers: [(name: String, value: String)] = []) {
        self.kind = kind
        self.detail = detail
        self.headers = headers
    }

    /// The answer that carries the document.
    ///
    /// - Parameter requestID: becomes the document's `instance`, so that an operator finds the request in the logs.
    public func response(requestID: String) -> Response {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("type")
        writer.string("urn:almanac:problem:" + kind.rawValue)
        writer.name("title")
        writer.string(kind.title)
        writer.name("status")
        writer.integer(Int64(kind.status))
        writer.name("detail")
        writer.string(detail)
        writer.name("instance")
        writer.string("urn:almanac:request:" + requestID)
        writer.endObject()
        var response = Response(status: kind.status, contentType: "application/problem+json", body: writer.bytes)
        response.headers += [("Cache-Control", "no-store")] + headers
        return response
    }
}
