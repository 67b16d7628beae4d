import AlmanacHTTP
import AlmanacRevisions
import AlmanacTimestamps
import Testing

@testable import AlmanacConfigDomain

/// Tests the mapping from refusals to problem documents, which clients match and people read.
@Suite struct ConfigRefusalTests {
    private static let head = Head(
        lineage: "k3f9", revision: 43, updatedAt: Timestamp(milliseconds: 0),
        version: SemanticVersion(major: 2, minor: 1, patch: 0), oldestRevision: 0, rewrittenRevision: 0)

    @Test(
        arguments: [
            (.invalidKey, .invalidKey, "expected a key of the form [A-Za-z_][A-Za-z0-9_.-]{0,127}"),
            (.entryNotFound("a", in: head), .entryNotFound, "there is no entry 'a'"),
            (.entryNeverExisted("a"), .entryNotFound, "there has never been an entry 'a'"),
            (.entryExists("a", in: head), .entryExists, "the entry 'a' exists already; replace it with PUT"),
            (.wouldReplace("a", in: head), .preconditionFailed, "the entry 'a' exists already"),
            (
                .valueTooLarge("a", bytes: 12, limit: 10), .limitExceeded,
                "the value of 'a' has 12 bytes; the limit is 10"
            ),
            (.tooManyEntries(4, limit: 3), .limitExceeded, "the environment would have 4 entries; the limit is 3"),
            (
                .differenceNotExpressible(["a", "b"]), .differenceNotExpressible,
                "a merge patch cannot set a member to null; "
                    + "request whole values with replace=true for these keys: a, b"
            ),
            (
                .configChanged(to: head), .preconditionFailed,
                "the config is now at 43.k3f9; read it again, then repeat the change"
            ),
            (
                .revisionNotReached(44, newest: head), .revisionNotReached,
                "revision 44 has not arrived yet; the newest is 43"
            ),
            (
                .revisionNotFound(Cursor(revision: 44, lineage: nil), newest: head.cursor), .releaseNotFound,
                "there is no revision 44; the newest is 43.k3f9"
            ),
            (.revisionTrimmed(oldest: 5), .revisionNotKept, "the history begins at revision 5"),
            (.releaseNotFound(44), .releaseNotFound, "there is no release 44"),
            (.releaseInFuture(44, newest: 43), .releaseNotFound, "there is no release 44; the newest is 43"),
            (
                .versionNotReleased(PinnedVersion("2.3")!, newest: head), .versionNotReleased,
                "the environment is at 2.1.0 and has not released 2.3"
            ),
            (.majorReleasedLater(2, at: 9), .versionNotReleased, "major version 2 was released at revision 9"),
            (.majorNotFound(7), .majorNotFound, "the environment has not released major version 7"),
            (.majorNotServed(1), .majorRetired, "major version 1 is no longer served"),
            (.majorRetired(1), .majorRetired, "major version 1 was retired before"),
            (.majorInUse(2), .majorInUse, "major version 2 is the newest; release another one first"),
        ] as [(ConfigRefusal, ProblemKind, String)])
    func `a refusal is one kind of problem, with its facts in the detail`(
        refusal: ConfigRefusal, kind: ProblemKind, detail: String
    ) {
        #expect(refusal.problem.kind == kind)
        #expect(refusal.problem.detail == detail)
    }

    @Test(
        arguments: [
            .entryNotFound("a", in: head), .entryExists("a", in: head), .wouldReplace("a", in: head),
            .configChanged(to: head),
            .revisionNotReached(44, newest: head), .versionNotReleased(PinnedVersion("9")!, newest: head),
        ] as [ConfigRefusal])
    func `a refusal that depends on the present state says which that is`(refusal: ConfigRefusal) {
        let fields = refusal.problem.headers.map { "\($0.name): \($0.value)" }
        let state = [
            "Almanac-Revision: 43", "Almanac-Cursor: 43.k3f9", "Almanac-Version: 2.1.0",
            "Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT",
        ]
        let isTemporary = refusal.problem.kind == .revisionNotReached
        #expect(fields == (isTemporary ? ["Retry-After: 1"] : []) + state)
    }

    @Test func `any other refusal has no header fields of its own`() {
        #expect(ConfigRefusal.majorInUse(2).problem.headers.isEmpty)
        #expect(ConfigRefusal.releaseNotFound(44).problem.headers.isEmpty)
    }
}
