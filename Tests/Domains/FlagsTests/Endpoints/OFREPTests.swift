import AlmanacFlagsDomain
import AlmanacHTTP
import AlmanacJSON
import Testing

/// Tests the form of errors at OFREP's paths, for errors from any part of the server.
@Suite struct OFREPTests {
    private func answer(_ kind: ProblemKind, _ path: String...) throws -> TestResponse {
        let problem = Problem(kind, "what to do", headers: [("Retry-After", "1")])
        return TestResponse(OFREP.shaped(problem, at: path).response(requestID: "r1"))
    }

    @Test(arguments: ProblemKind.allCases)
    func `every problem is told in both forms`(kind: ProblemKind) throws {
        let single = try answer(kind, "development", "ofrep", "v1", "evaluate", "flags", "a\"b")
        #expect(single.status == kind.status && single["Content-Type"] == "application/json")
        #expect(single[member: "key"] == #""a\"b""# && single[member: "errorDetails"] == "\"what to do\"")
        let codes = ["FLAG_NOT_FOUND", "PARSE_ERROR", "INVALID_CONTEXT", "GENERAL"].map { "\"\($0)\"" }
        #expect(codes.contains(try #require(single[member: "errorCode"])))
        #expect(single[member: "type"] == "\"urn:almanac:problem:\(kind.rawValue)\"")
        #expect(single["Retry-After"] == "1")
        let bulk = try answer(kind, "development", "ofrep", "v1", "evaluate", "flags")
        #expect(bulk[member: "key"] == nil && bulk[member: "errorCode"] == single[member: "errorCode"])
    }

    @Test func `paths without an environment are OFREP's too, and others are not`() throws {
        for path in [["ofrep", "v1", "evaluate", "flags", ""], ["none", "ofrep", "v1", "configuration"]] {
            let answer = TestResponse(OFREP.shaped(Problem(.notFound, "x"), at: path).response(requestID: "r1"))
            #expect(answer[member: "errorCode"] == #""GENERAL""# && answer[member: "key"] == nil)
        }
        for path in [[], [""], ["development", "config"], ["a", "b", "ofrep", "v1"], ["ofrep", "config"]] {
            let answer = TestResponse(OFREP.shaped(Problem(.notFound, "x"), at: path).response(requestID: "r1"))
            #expect(answer["Content-Type"] == "application/problem+json" && answer[member: "errorCode"] == nil)
        }
    }
}
