import AlmanacHTTP
import Testing

@Suite struct MediaTypeTests {
    private func request(_ name: String, _ value: String?) throws -> Request {
        let fields = value.map { [(name: name, value: $0)] } ?? []
        return Request(method: "GET", target: try Target("/"), headers: Headers(fields), id: "r1")
    }

    @Test(arguments: [
        nil, "", "*/*", "application/json", "application/*", "APPLICATION/JSON", "text/html, application/json",
        "text/html;q=0.9,*/*;q=0.1", "application/json; q=1", "application/json;charset=utf-8", "text/*;q=0, */*",
        "application/json;q=0.001", "application/*;q=0, application/json",
    ])
    func `a range that includes the type accepts it`(accept: String?) throws {
        #expect(throws: Never.self) { try request("Accept", accept).accepts("application/json") }
    }

    @Test(arguments: [
        "text/html", "application/jsonp", "application/problem+json", "application/json;q=0", "*/*;q=0.000", "text/*",
        "application/json; q=0.0, */*", "application/*;q=0, */*;q=0.5", "json", "application",
    ])
    func `a header that rules the type out is refused, with the type`(accept: String) throws {
        let problem = problem { try request("Accept", accept).accepts("application/json") }
        #expect(problem?.kind == .notAcceptable)
        #expect(problem?.detail.contains("application/json") == true)
    }

    @Test func `one acceptable type of several is enough`() throws {
        #expect(throws: Never.self) { try request("Accept", "text/plain").accepts("application/json", "text/plain") }
    }

    @Test(arguments: [
        nil, "application/json", "Application/JSON", "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        #"application/json; charset="utf-8""#, "application/json ; x=y", "application/merge-patch+json",
    ])
    func `a body of the expected type in UTF-8 is taken`(contentType: String?) throws {
        let request = try request("Content-Type", contentType)
        #expect(throws: Never.self) { try request.contains("application/json", "application/merge-patch+json") }
    }

    @Test(arguments: [
        "", "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", "*/*",
        "application/*",
        "application/json; charset=utf-16", "json", "application/json, text/plain",
    ])
    func `a body of another type or encoding is refused, with the expected type`(contentType: String) throws {
        let problem = problem { try request("Content-Type", contentType).contains("application/json") }
        #expect(problem?.kind == .unsupportedMediaType)
        #expect(problem?.detail.contains("application/json") == true)
    }
}
