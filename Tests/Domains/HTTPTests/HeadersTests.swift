import AlmanacHTTP
import Testing

@Suite struct HeadersTests {
    @Test(arguments: ["Content-Type", "content-type", "CONTENT-TYPE", "cONTENT-tYPE"])
    func `a field is found without regard to case`(name: String) {
        #expect(Headers([("Content-Type", "text/plain")])[name] == "text/plain")
        let response = Response(status: 204, headers: [("Vary", "Accept"), ("Content-Type", "text/plain")])
        #expect(response.header(name) == "text/plain")
    }

    @Test func `only ASCII letters have a case`() {
        let headers = Headers([("a[b", "bracket"), ("x-é", "small"), ("k", "letter")])
        #expect(headers["a{b"] == nil)
        #expect(headers["x-É"] == nil)
        #expect(headers["\u{212a}"] == nil)
        #expect(headers["A[B"] == "bracket")
    }

    @Test func `of several fields of a name the first counts`() {
        #expect(Headers([("Via", "1"), ("VIA", "2")])["via"] == "1")
        #expect(Headers()["Via"] == nil)
    }

    @Test(arguments: [(200, "200 OK"), (404, "404 Not Found"), (304, "304 Not Modified"), (299, "299")])
    func `a status line has the reason where there is one`(status: Int, expected: String) {
        #expect(Response(status: status).statusText == expected)
    }

    @Test func `every status of a problem has a reason`() {
        for kind in ProblemKind.allCases {
            #expect(Response(status: kind.status).statusText.count > 4, "\(kind.status)")
        }
    }
}
