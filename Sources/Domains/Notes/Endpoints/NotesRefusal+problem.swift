internal import AlmanacForms
internal import AlmanacHTTP

/// The table from refusals to problem documents.
extension NotesRefusal: ProblemRepresentable {
    var problem: Problem {
        switch self {
        case .noteGone(let id):
            Problem(.noteGone, "there is no note '\(id)'; keep your text and create a note with another id")
        case .noteExists(let id, let isInTrash):
            Problem(.noteExists, "there is a note '\(id)' already\(isInTrash ? ", in the trash" : "")")
        case .preconditionRequired(let id):
            Problem(
                .preconditionRequired,
                "there is a note '\(id)' already; send the ETag of the text that you changed as If-Match")
        case .preconditionFailed(let id):
            Problem(.preconditionFailed, "there is a note '\(id)' already")
        case .changedSince(let id):
            Problem(.preconditionFailed, "the note '\(id)' has changed since the time in If-Unmodified-Since")
        case .textTooLong(let member, let bytes, let limit):
            Problem(
                .limitExceeded, "the \(member.rawValue) would have \(bytes) bytes; the limit is \(limit)")
        case .tooManyNotes(let count, let limit):
            Problem(
                .limitExceeded,
                "there are \(count) notes already, with those in the trash; the limit is \(limit)")
        case .accountTooLarge(let bytes, let limit):
            Problem(.limitExceeded, "all notes together would have \(bytes) bytes; the limit is \(limit)")
        case .tooManyWords:
            Problem(.limitExceeded, "the text has too many different words for the full-text search")
        case .nulCharacter(let member):
            Problem(.invalidValue, "the \(member.rawValue) would hold U+0000")
        case .invalidTag: Problem(.invalidTag, "a tag must be \(NoteTag.form)")
        case .tagAddedAndRemoved(let tag):
            Problem(.invalidTag, "the tag '\(tag)' is to be added and removed; send only what is meant")
        case .tooManyTags(let count):
            Problem(.tooManyTags, "the note would have \(count) tags; the limit is \(NoteTag.maxPerNote)")
        case .deltaMismatch(let member, let failure):
            Problem(.deltaMismatch, "'\(member.rawValue)': \(failure)")
        case .baseMissing(let member):
            Problem(
                .invalidValue,
                "'\(member.rawValue)' needs a 'base', the revision of the text that was edited, or a diff list")
        case .afterItself:
            Problem(.invalidValue, "'after' must name another note, or be null for the first place")
        case .wrongLineage(let cursor):
            Problem(.resync, "\(cursor) is of another history; read the notes anew, keeping what you have not sent")
        case .revisionInFuture(let revision, let newest):
            Problem(.deltaMismatch, "revision \(revision) does not exist yet; the newest is \(newest)")
        case .revisionTrimmed(let oldest):
            Problem(.revisionNotKept, "the history reaches back to revision \(oldest) only")
        case .textThinned(let id, let revision):
            Problem(
                .revisionNotKept,
                "the text of the note '\(id)' at revision \(revision) was thinned out to make room for later ones; "
                    + "send the edit as a diff list, which spells its base out, or read the note and edit that")
        case .historyTooLarge(let limit):
            Problem(
                .limitExceeded,
                "the texts that were gone back to are all kept, and would have more than \(limit) bytes with this one; "
                    + "purge a note whose history is not needed")
        case .revisionBeforeNote(let id, let revision):
            Problem(.deltaMismatch, "the note '\(id)' did not exist yet at revision \(revision)")
        case .postponed:
            Problem(.overloaded, "the batch took too long, and this action was not tried; send it again")
        case .invalidSearch(let maxBytes):
            Problem(.invalidParameter, "'q' must have at most \(maxBytes) bytes, and no U+0000")
        case .tooManySearchWords:
            Problem(.invalidParameter, "'q' must have at most \(NotesSearch.maxWords) words; leave some out")
        case .wordsNotReady:
            Problem(.overloaded, "the words of these notes are still being gathered for the search; ask again")
        case .invalidSearchTag: Problem(.invalidParameter, "a tag that is searched for must be \(NoteTag.form)")
        case .tooManySearchTags:
            Problem(.invalidParameter, "a note has at most \(NoteTag.maxPerNote) tags; search for fewer")
        case .invalidAction(let detail):
            Problem(.invalidValue, detail)
        }
    }
}
