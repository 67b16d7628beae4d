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
        let refusal = #expect(throws: ConfigRefusal.configChanged(to: head)) {
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

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", true, true), ("Sun, 06 Nov 1994 08:49:38 GMT", true, true),
        ("Sun, 06 Nov 1994 08:49:36 GMT", true, false), ("Sunday, 06-Nov-94 08:49:36 GMT", true, false),
        // The writer may have seen an earlier change of the same second.
        ("Sun, 06 Nov 1994 08:49:37 GMT", false, false), ("Sun, 06 Nov 1994 08:49:38 GMT", false, true),
        ("yesterday", false, true), ("", false, true),
    ])
    func `a config that has changed since a date refuses the write`(date: String, ownSecond: Bool, met: Bool) throws {
        var head = Head(
            lineage: "k3f9", revision: 43, updatedAt: Timestamp("1994-11-06T08:49:37.912Z")!,
            version: SemanticVersion(major: 2, minor: 1, patch: 0), oldestRevision: 0, rewrittenRevision: 0)
        head.hasOwnSecond = ownSecond
        let condition = try Precondition(Headers([("If-Unmodified-Since", date)]))
        if met {
            try condition.check(head)
        } else {
            #expect(throws: ConfigRefusal.configChanged(to: head)) { try condition.check(head) }
        }
        // An entity tag takes precedence over a date.
        try Precondition(Headers([("If-Unmodified-Since", date), ("If-Match", "\"43.k3f9\"")])).check(head)
    }

    @Test func `without the header there is no condition`() throws {
        try Precondition(Headers()).check(head)
        try Precondition.none.check(head)
    }
}
