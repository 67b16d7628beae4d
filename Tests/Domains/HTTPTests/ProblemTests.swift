import AlmanacHTTP
import AlmanacJSON
import Testing

@Suite struct ProblemTests {
    @Test func `a problem's answer is the document of RFC 9457 with the headers of its status`() throws {
        let detail = "\"größer\" than 3 😸\nand\u{1}"
        let problem = Problem(.databaseAway, detail, headers: [("Retry-After", "1")])
        let response = problem.response(requestID: "r-1")
        #expect(response.status == 503)
        #expect(response.header("Content-Type") == "application/problem+json")
        #expect(response.header("Cache-Control") == "no-store")
        #expect(response.header("Retry-After") == "1")
        let document = try #require(try JSONValue(parsing: response.bytes).objectValue)
        #expect(document.members.map(\.name) == ["type", "title", "status", "detail", "instance"])
        #expect(document["type"]?.stringValue == "urn:almanac:problem:database-away")
        #expect(document["title"]?.stringValue == ProblemKind.databaseAway.title)
        #expect(document["status"]?.numberValue?.int64 == 503)
        #expect(bytes(document["detail"]?.stringValue) == bytes(detail))
        #expect(document["instance"]?.stringValue == "urn:almanac:request:r-1")
    }

    @Test(arguments: ProblemKind.allCases)
    func `a kind's type, title and status fit a problem document`(kind: ProblemKind) {
        #expect(kind.rawValue.utf8.allSatisfy { (97...122).contains($0) || $0 == UInt8(ascii: "-") })
        #expect((400...599).contains(kind.status))
        #expect(kind.title.first?.isUppercase == true)
        #expect(kind.title.last?.isLetter == true)
    }

    @Test func `no two kinds share a type or a title`() {
        let kinds = ProblemKind.allCases
        #expect(Set(kinds.map(\.rawValue)).count == kinds.count)
        #expect(Set(kinds.map(\.title)).count == kinds.count)
    }

    @Test(
        arguments: [
            (.invalidJSON, 400), (.invalidKey, 400), (.tokenNeeded, 401), (.tokenRefused, 401), (.scopeTooSmall, 403),
            (.entryNotFound, 404), (.versionNotReleased, 404), (.methodNotAllowed, 405), (.notAcceptable, 406),
            (.entryExists, 409), (.majorRetired, 410), (.preconditionFailed, 412), (.bodyTooLarge, 413),
            (.unsupportedMediaType, 415), (.invalidValue, 422), (.internalError, 500), (.databaseAway, 503),
        ] as [(ProblemKind, Int)])
    func `the statuses that clients rely on stay`(kind: ProblemKind, status: Int) {
        #expect(kind.status == status)
    }
}
