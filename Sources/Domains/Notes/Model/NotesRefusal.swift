internal import AlmanacRevisions
internal import TextMerge

/// The reason why an action or a query on notes is refused.
enum NotesRefusal: Error, Equatable {
    /// The note never existed, was purged, or belongs to another user; the caller can't tell which.
    case noteGone(String)
    case noteExists(String, isInTrash: Bool)
    /// A PUT without a base text names an existing note.
    case preconditionRequired(String)
    /// A note that the client expected not to exist does exist.
    case preconditionFailed(String)
    /// The note has changed since the time in the client's condition.
    case changedSince(String)

    case textTooLong(NoteText.Member, bytes: Int, limit: Int)
    case tooManyNotes(Int, limit: Int)
    case accountTooLarge(bytes: Int64, limit: Int64)
    /// The text has more different words than the full-text search can hold.
    case tooManyWords
    /// The text would contain U+0000, which can't be stored.
    case nulCharacter(NoteText.Member)

    /// The tag is not valid (`NoteTag`).
    case invalidTag
    /// The same action adds and removes the tag.
    case tagAddedAndRemoved(String)
    case tooManyTags(Int)
    /// The body names too many attachments.
    case tooManyAttachments(Int)

    /// The delta doesn't fit its base text.
    case deltaMismatch(NoteText.Member, DeltaFailure)
    /// The delta has no base text.
    case baseMissing(NoteText.Member)
    /// The note would be placed after itself.
    case afterItself

    /// The cursor's lineage is not the account's.
    case wrongLineage(Cursor)
    case revisionInFuture(Int64, newest: Int64)
    case revisionTrimmed(oldest: Int64)
    /// The texts at the revision were thinned out.
    case textThinned(String, revision: Int64)
    /// Restored texts are never thinned out, and they leave no room for another.
    case historyTooLarge(limit: Int64)
    /// The revision is older than the note.
    case revisionBeforeNote(String, revision: Int64)

    /// The batch took too long, so the action was not tried.
    case postponed

    case invalidSearch(maxBytes: Int)
    case tooManySearchWords
    /// More words are not indexed yet than one request may index.
    case wordsNotReady
    case invalidSearchTag
    case tooManySearchTags
    /// The element of a batch, or the request body, is no action; the text says what was expected.
    case invalidAction(String)
}
