public import AlmanacJSON

/// An error response: a problem document (RFC 9457).
///
/// A problem contains nothing private: no SQL, no host name, no secret, no stack trace.
public struct Problem: Error, Sendable {
    public let kind: ProblemKind
    /// The fault, and what was expected instead.
    public let detail: String
    /// The header fields that belong to the status, such as `Allow` or `Retry-After`.
    public var headers: [(name: String, value: String)]
    /// The extension members for programs (RFC 9457 §3.2).
    private var members: [(name: String, value: JSONValue)]
    /// The reason for the operator's log, which is not in the document.
    public let reason: String?
    private var contentType = "application/problem+json"

    public init(
        _ kind: ProblemKind, _ detail: String, headers: [(name: String, value: String)] = [],
        members: [(name: String, value: JSONValue)] = [], reason: String? = nil
    ) {
        self.reason = reason
        self.members = members
        self.kind = kind
        self.detail = detail
        self.headers = headers
    }

    /// Returns the problem with further members and another media type.
    public func adding(_ members: [(name: String, value: JSONValue)], contentType: String) -> Problem {
        var problem = self
        problem.members += members
        problem.contentType = contentType
        return problem
    }

    /// Returns the response with the document, whose `instance` leads an operator to the request in the logs.
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

/// A refusal by a domain, independent of HTTP. The domain's `Endpoints` map each refusal to a problem in one table.
public protocol ProblemRepresentable: Error {
    var problem: Problem { get }
}
