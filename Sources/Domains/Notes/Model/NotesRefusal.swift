internal import AlmanacRevisions
internal import TextMerge

/// Why an action, or a question about notes, is refused, with the facts of the case.
enum NotesRefusal: Error, Equatable {
    /// A note that never existed, was removed for good, or is somebody else's: nobody can tell which.
    case noteGone(String)
    case noteExists(String, isInTrash: Bool)
    /// A whole text came for a note that is there, and not what it was made from.
    case preconditionRequired(String)
    /// A note that was to be new is there.
    case preconditionFailed(String)
    /// A note that was to be as it had been at a time has changed.
    case changedSince(String)

    case textTooLong(NoteText.Member, bytes: Int, limit: Int)
    case tooManyNotes(Int, limit: Int)
    case accountTooLarge(bytes: Int64, limit: Int64)
    /// More different words than the full-text search can hold.
    case tooManyWords
    /// The text would hold U+0000, which can't be stored.
    case nulCharacter(NoteText.Member)

    /// A tag that isn't of its form (`Tag`).
    case invalidTag
    /// A tag that one action was to add and to remove.
    case tagAddedAndRemoved(String)
    case tooManyTags(Int)

    /// A delta that doesn't fit the text that it is for.
    case deltaMismatch(NoteText.Member, DeltaFailure)
    /// A delta that doesn't say what text it is for.
    case baseMissing(NoteText.Member)
    /// A note that was to stand behind itself.
    case afterItself

    /// A cursor whose lineage isn't the account's.
    case otherHistory(Cursor)
    case revisionToCome(Int64, newest: Int64)
    case revisionNotKept(oldest: Int64)
    /// A revision whose texts were thinned out.
    case textNotKept(String, revision: Int64)
    /// The texts that a person went back to are all kept, and there is no room for one more.
    case historyTooLarge(limit: Int64)
    /// A revision before the note's creation.
    case noteNotThereYet(String, revision: Int64)

    /// An action of a batch that took too long; it was not tried.
    case postponed

    case invalidSearch(mostBytes: Int)
    case tooManySearchWords
    /// There are so many notes that no search has seen that it takes more than one request to gather their words.
    case wordsNotReady
    case invalidSearchTag
    case tooManySearchTags
    /// An element of a batch, or a body, that is no action; the text says what was expected.
    case invalidAction(String)
}
