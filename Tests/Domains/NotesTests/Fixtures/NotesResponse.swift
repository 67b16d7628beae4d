import AlmanacHTTP
import AlmanacJSON
import Testing

struct NotesResponse {
    private(set) var response: Response

    init(_ response: Response) { self.response = response }

    /// Joins the pieces of a response that is written piece by piece.
    init(collecting response: Response) throws {
        self.response = response
        guard case .pieces(let write) = response.body else { return }
        var bytes: [UInt8] = []
        try write { bytes += $0 }
        self.response.body = .bytes(bytes)
    }

    var status: Int { response.status }
    var body: String { String(decoding: response.bytes, as: UTF8.self) }

    subscript(_ header: String) -> String? { response.header(header) }

    var json: JSONValue {
        get throws {
            var limits = JSONLimits()
            limits.bytes = 1 << 28
            return try JSONValue(parsing: response.bytes, limits: limits)
        }
    }

    /// The type of the problem document without its prefix, or nil for another response.
    var problem: String? {
        guard self["Content-Type"] == "application/problem+json",
            let type = self[member: "type"]?.stringValue, type.hasPrefix("urn:almanac:problem:")
        else { return nil }
        return String(type.dropFirst("urn:almanac:problem:".count))
    }

    /// The status and the problem type: `404 note-gone`.
    var outcome: String { problem.map { "\(status) \($0)" } ?? "\(status)" }

    subscript(member name: String) -> JSONValue? { try? json.objectValue?[name] }

    /// Returns the response if its status is one of the given, and fails the test otherwise.
    @discardableResult
    func expecting(_ statuses: Int..., sourceLocation: SourceLocation = #_sourceLocation) throws -> NotesResponse {
        try #require(statuses.contains(status), "\(outcome): \(body)", sourceLocation: sourceLocation)
        return self
    }

    var results: [JSONObject] {
        get throws { try #require(self[member: "results"]?.arrayValue, "\(body)").compactMap(\.objectValue) }
    }

    /// The ids in a list, in order.
    var order: [String] {
        get throws { try #require(self[member: "order"]?.arrayValue, "\(body)").compactMap(\.stringValue) }
    }

    /// The ids of deleted notes in a delta.
    var deleted: [String] {
        get throws { try #require(self[member: "deleted"]?.arrayValue, "\(body)").compactMap(\.stringValue) }
    }

    /// Returns a note in a list.
    func detail(_ id: String) -> JSONObject? { self[member: "details"]?.objectValue?[id]?.objectValue }

    var cursor: String { self[member: "cursor"]?.stringValue ?? "" }
}

extension JSONValue {
    init(json text: String) throws { self = try JSONValue(parsing: Array(text.utf8)) }
}
