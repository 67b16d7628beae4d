import AlmanacHTTP
import AlmanacTimestamps
import Testing

@testable import AlmanacConfigDomain

@Suite struct PreconditionTests {
    private let head = Head(
        lineage: "k3f9", revision: 43, updatedAt: Timestamp(milliseconds: 0),
        version: SemanticVersion(major: 2, minor: 1, patch: 0), oldestRevision: 0, rewrittenRevision: 0)

    @Test(arguments: [
        #""43.k3f9""#, #"W/"43.k3f9""#, #""43""#, #"W/"43""#, #""43.k3f9-object""#, #"W/"43.k3f9-v2-nested""#,
        #""43.k3f9-v1-full""#, #""1", "43.k3f9""#, #"W/"42.k3f9",W/"43.k3f9-entry""#, "*", " * ",
    ])
    func `a tag of any form of the present config meets it`(tags: String) throws {
        try Precondition(Headers([("If-Match", tags)])).check(head)
    }

    @Test(arguments: [
        #""42.k3f9""#, #""44.k3f9""#, #""43.zzzz""#, #"W/"43.zzzz-object""#, #""42""#, #""""#, #""43.k3f9x""#,
        #""x43""#,
        #""1", "2""#,
    ])
    func `a tag of another state or lineage does not, and the answer says where the config is`(tags: String) throws {
        let refusal = #expect(throws: ConfigRefusal.movedOn(to: head)) {
            try Precondition(Headers([("If-Match", tags)])).check(head)
        }
        let problem = refusal?.problem
        #expect(problem?.kind == .preconditionFailed)
        #expect(problem?.headers.contains { $0.name == "Almanac-Cursor" && $0.value == "43.k3f9" } == true)
    }

    @Test(arguments: ["", "43.k3f9 44", #""43"#, #"43""#, "W/", #""1" "2""#, #"w/"43""#])
    func `a header that is no list of tags is refused`(tags: String) {
        let problem = #expect(throws: Problem.self) { try Precondition(Headers([("If-Match", tags)])) }
        #expect(problem?.kind == .invalidHeader)
    }

    @Test func `without the header there is no condition`() throws {
        try Precondition(Headers()).check(head)
        try Precondition.none.check(head)
    }
}
