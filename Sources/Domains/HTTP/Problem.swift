public import AlmanacJSON

/// An error as the client gets it: a problem document (RFC 9457).
///
/// Nothing private goes into one: no SQL, no host name, no secret, no stack trace.
public struct Problem: Error, Sendable {
    public let kind: ProblemKind
    /// Names the fault, and what was expected instead.
    public let detail: String
    /// Header fields that belong to the status, such as `Allow` or `Retry-After`.
    public var headers: [(name: String, value: String)]
    /// What a program may want to know besides (RFC 9457 §3.2).
    private var members: [(name: String, value: JSONValue)]
    private var contentType = "application/problem+json"

    public init(
        _ kind: ProblemKind, _ detail: String, headers: [(name: String, value: String)] = [],
        members: [(name: String, value: JSONValue)] = []
    ) {
        self.members = members
        self.kind = kind
        self.detail = detail
        self.headers = headers
    }

    /// The same with more for programs, under another media type.
    public func adding(_ members: [(name: String, value: JSONValue)], contentType: String) -> Problem {
        var problem = self
        problem.members += members
        problem.contentType = contentType
        return problem
    }

    /// The response that carries the document.
    ///
    /// - Parameter requestID: becomes the document's `instance`, so that an operator finds the request in the logs.
    public func response(requestID: String) -> Response {
        let document = JSONWriter.object { writer in
            writer.member("type", "urn:almanac:problem:" + kind.rawValue)
            writer.member("title", kind.title)
            writer.member("status", Int64(kind.status))
            writer.member("detail", detail)
            writer.member("instance", "urn:almanac:request:" + requestID)
            for member in members { writer.member(member.name, value: member.value) }
        }
        var response = Response(status: kind.status, contentType: contentType, body: document)
        response.headers += [("Cache-Control", "no-store")] + headers
        return response
    }
}

/// A refusal of a domain that knows no HTTP. Its `Endpoints` conform it, in the one table that says which problem each
/// refusal is sent as.
public protocol ProblemRepresentable: Error {
    var problem: Problem { get }
}
