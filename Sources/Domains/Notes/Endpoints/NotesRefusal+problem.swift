internal import AlmanacForms
internal import AlmanacHTTP

/// The table from refusals to problem documents.
extension NotesRefusal: ProblemRepresentable {
    var problem: Problem {
        switch self {
        case .noteGone(let id):
            Problem(.noteGone, "there is no note '\(id)'; keep your text and create a note with another id")
        case .noteExists(let id, let isInTrash):
            Problem(.noteExists, "the note '\(id)' exists already\(isInTrash ? ", in the trash" : "")")
        case .preconditionRequired(let id):
            Problem(
                .preconditionRequired,
                "the note '\(id)' exists already; send the ETag of the text that you changed as If-Match")
        case .preconditionFailed(let id): Problem(.preconditionFailed, "the note '\(id)' exists already")
        case .changedSince(let id):
            Problem(.preconditionFailed, "the note '\(id)' has changed since the time in If-Unmodified-Since")
        case .textTooLong(let member, let bytes, let limit):
            Problem(.limitExceeded, "the \(member.rawValue) would have \(bytes) bytes; the limit is \(limit)")
        case .tooManyNotes(let count, let limit):
            Problem(
                .limitExceeded, "the account has \(count) notes already, including the trash; the limit is \(limit)")
        case .accountTooLarge(let bytes, let limit):
            Problem(.limitExceeded, "all notes together would have \(bytes) bytes; the limit is \(limit)")
        case .tooManyWords: Problem(.limitExceeded, "the text has too many different words for the full-text search")
        case .nulCharacter(let member): Problem(.invalidValue, "the \(member.rawValue) would contain U+0000")
        case .invalidTag: Problem(.invalidTag, "a tag must be \(NoteTag.form)")
        case .tagAddedAndRemoved(let tag):
            Problem(.invalidTag, "the tag '\(tag)' is both added and removed; send only one of the two")
        case .tooManyTags(let count):
            Problem(.tooManyTags, "the note would have \(count) tags; the limit is \(NoteTag.maxPerNote)")
        case .tooManyAttachments(let count):
            Problem(
                .tooManyAttachments,
                "the note would name \(count) attachments; the limit is \(AttachmentReferences.maxPerNote)")
        case .deltaMismatch(let member, let failure): Problem(.deltaMismatch, "'\(member.rawValue)': \(failure)")
        case .baseMissing(let member):
            Problem(
                .invalidValue,
                "'\(member.rawValue)' needs a 'base', the revision of the text that was edited, or a diff list")
        case .afterItself: Problem(.invalidValue, "'after' must name another note, or be null for the first place")
        case .wrongLineage(let cursor):
            Problem(.resync, "\(cursor) belongs to another history; read the notes again, and keep unsent changes")
        case .revisionInFuture(let revision, let newest):
            Problem(.deltaMismatch, "revision \(revision) does not exist yet; the newest is \(newest)")
        case .revisionTrimmed(let oldest):
            Problem(.revisionNotKept, "the history reaches back only to revision \(oldest)")
        case .textThinned(let id, let revision):
            Problem(
                .revisionNotKept,
                "the text of the note '\(id)' at revision \(revision) was removed to make room for later texts; "
                    + "send the edit as a diff list, which contains its base, or edit the note's present text")
        case .historyTooLarge(let limit):
            Problem(
                .limitExceeded,
                "all restored texts are kept, and would have more than \(limit) bytes with this text; "
                    + "purge a note whose history is not needed")
        case .revisionBeforeNote(let id, let revision):
            Problem(.deltaMismatch, "the note '\(id)' did not exist yet at revision \(revision)")
        case .postponed: Problem(.overloaded, "the batch took too long, and this action was not tried; send it again")
        case .invalidSearch(let maxBytes):
            Problem(.invalidParameter, "'q' must have at most \(maxBytes) bytes, and no U+0000")
        case .tooManySearchWords:
            Problem(.invalidParameter, "'q' must have at most \(NotesSearch.maxWords) words; leave some out")
        case .wordsNotReady: Problem(.overloaded, "the search index of these notes is still being built; try again")
        case .invalidSearchTag: Problem(.invalidParameter, "a tag in a search must be \(NoteTag.form)")
        case .tooManySearchTags:
            Problem(.invalidParameter, "a note has at most \(NoteTag.maxPerNote) tags; search for fewer")
        case .invalidAction(let detail): Problem(.invalidValue, detail)
        }
    }
}
