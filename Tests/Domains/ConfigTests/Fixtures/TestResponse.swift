import AlmanacHTTP
import AlmanacJSON
import Testing

struct TestResponse {
    let response: Response

    init(_ response: Response) { self.response = response }

    var status: Int { response.status }
    var body: String { String(decoding: response.bytes, as: UTF8.self) }

    subscript(_ header: String) -> String? { response.header(header) }

    var json: JSONValue { get throws { try JSONValue(parsing: response.bytes) } }

    /// The type of the problem document without its prefix, or nil for another response.
    var problem: String? {
        guard self["Content-Type"] == "application/problem+json",
            let type = try? json.objectValue?["type"]?.stringValue, type.hasPrefix("urn:almanac:problem:")
        else { return nil }
        return String(type.dropFirst("urn:almanac:problem:".count))
    }

    /// The status and the problem type: `404 entry-not-found`.
    var outcome: String { problem.map { "\(status) \($0)" } ?? "\(status)" }

    var revision: Int64? { self["Almanac-Revision"].flatMap { Int64($0) } }

    /// The elements of an array response in short form: `a=1 b=gone`.
    var entries: String {
        get throws {
            try #require(json.arrayValue).map { entry in
                let key = entry.objectValue?["key"]?.stringValue ?? "?"
                if entry.objectValue?["deleted"] == .some(true) { return "\(key)=gone" }
                return "\(key)=\(entry.objectValue?["value"]?.description ?? "?")"
            }.joined(separator: " ")
        }
    }

    subscript(member name: String) -> JSONValue? { try? json.objectValue?[name] }

    /// Returns the response if its status is one of the given, and fails the test otherwise.
    @discardableResult
    func expecting(_ statuses: Int..., sourceLocation: SourceLocation = #_sourceLocation) throws -> TestResponse {
        try #require(statuses.contains(status), "\(outcome): \(body)", sourceLocation: sourceLocation)
        return self
    }
}
