import AlmanacHTTP
import AlmanacRevisions
import Testing
import TextMerge

@testable import AlmanacNotesDomain

@Suite struct NotesRefusalTests {
    @Test(
        arguments: [
            (.noteGone("n1"), .noteGone, "there is no note 'n1'; keep your text and create a note with another id"),
            (.noteExists("n1", isInTrash: false), .noteExists, "the note 'n1' exists already"),
            (.noteExists("n1", isInTrash: true), .noteExists, "the note 'n1' exists already, in the trash"),
            (
                .preconditionRequired("n1"), .preconditionRequired,
                "the note 'n1' exists already; send the ETag of the text that you changed as If-Match"
            ),
            (.preconditionFailed("n1"), .preconditionFailed, "the note 'n1' exists already"),
            (
                .textTooLong(.title, bytes: 7, limit: 4), .limitExceeded,
                "the title would have 7 bytes; the limit is 4"
            ),
            (
                .textTooLong(.body, bytes: 11, limit: 10), .limitExceeded,
                "the body would have 11 bytes; the limit is 10"
            ),
            (
                .tooManyNotes(2, limit: 2), .limitExceeded,
                "the account has 2 notes already, including the trash; the limit is 2"
            ),
            (
                .accountTooLarge(bytes: 17, limit: 16), .limitExceeded,
                "all notes together would have 17 bytes; the limit is 16"
            ),
            (.tooManyWords, .limitExceeded, "the text has too many different words for the full-text search"),
            (.nulCharacter(.title), .invalidValue, "the title would contain U+0000"),
            (.nulCharacter(.body), .invalidValue, "the body would contain U+0000"),
            (
                .baseMissing(.body), .invalidValue,
                "'body' needs a 'base', the revision of the text that was edited, or a diff list"
            ),
            (.afterItself, .invalidValue, "'after' must name another note, or be null for the first place"),
            (
                .wrongLineage(Cursor(revision: 4, lineage: "abcdefgh")), .resync,
                "4.abcdefgh belongs to another history; read the notes again, and keep unsent changes"
            ),
            (.revisionInFuture(9, newest: 4), .deltaMismatch, "revision 9 does not exist yet; the newest is 4"),
            (.revisionTrimmed(oldest: 3), .revisionNotKept, "the history reaches back only to revision 3"),
            (
                .textThinned("n1", revision: 2), .revisionNotKept,
                "the text of the note 'n1' at revision 2 was removed to make room for later texts; "
                    + "send the edit as a diff list, which contains its base, or edit the note's present text"
            ),
            (
                .historyTooLarge(limit: 9), .limitExceeded,
                "all restored texts are kept, and would have more than 9 bytes with this text; "
                    + "purge a note whose history is not needed"
            ),
            (
                .revisionBeforeNote("n1", revision: 2), .deltaMismatch, "the note 'n1' did not exist yet at revision 2"
            ),
            (.invalidSearch(maxBytes: 1000), .invalidParameter, "'q' must have at most 1000 bytes, and no U+0000"),
            (.invalidAction("'body' must be a text"), .invalidValue, "'body' must be a text"),
        ] as [(NotesRefusal, ProblemKind, String)])
    func `a refusal says what was wrong and what was expected`(
        refusal: NotesRefusal, kind: ProblemKind, detail: String
    ) {
        #expect(refusal.problem.kind == kind && refusal.problem.detail == detail)
        #expect(refusal.problem.headers.isEmpty)
    }

    @Test func `a delta that doesn't fit says which text and why`() throws {
        let failure = try #require(throws: DeltaFailure.self) { try EncodedDelta([.integer(4)]).apply(to: "abc") }
        let problem = NotesRefusal.deltaMismatch(.body, failure).problem
        #expect(problem.kind == .deltaMismatch)
        #expect(problem.detail == "'body': The delta is for a text of 4 UTF-16 code units; the base text has 3.")
    }
}
