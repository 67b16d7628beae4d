internal import AlmanacRevisions

/// Why something asked of the config is not done, with the facts of the refusal.
enum ConfigRefusal: Error, Equatable {
    /// A text that was to name an entry is no key.
    case invalidKey
    /// The writer may change other keys than these.
    case keysOutOfScope([String], allowed: [String])
    /// The entry is not there now.
    case entryNotFound(_ key: String, in: Head)
    case flagNotFound(_ key: String, in: Head)
    /// There has never been an entry of that key.
    case entryNeverExisted(_ key: String)
    /// A new entry was to be made, and there is one already.
    case entryExists(_ key: String, in: Head)
    /// A write that was to create an entry, and only that, would have replaced one.
    case wouldReplace(_ key: String, in: Head)
    /// A write that was to change an entry, and only that, would have made one.
    case wouldCreate(_ key: String, in: Head)
    /// The config is in a state in which the writer does not want to change it.
    case stillThere(Head)
    /// The key may not have that kind, or the kind is another key's.
    case kindOfOtherKey(EntryKind, _ key: String)
    /// Flags of the release, or others because of it, could not be evaluated.
    case invalidFlags([DefinitionFault])
    /// Names of flags are no keys.
    case invalidFlagKeys([String])
    case valueTooLarge(_ key: String, bytes: Int, limit: Int)
    case tooManyEntries(Int, limit: Int)
    /// A merge patch cannot say what the values of these keys become, because a member of theirs is null.
    case differenceNotExpressible(_ keys: [String])
    /// A form that knows values only was asked for, and these flags differ.
    case flagsDiffer(_ keys: [String])

    /// The config has moved on from the state that a writer saw.
    case movedOn(to: Head)
    /// A revision that was made elsewhere has not come here in time.
    case revisionNotReached(Int64, newest: Head)
    case revisionNotFound(Cursor, newest: Cursor)
    /// The history does not reach back that far.
    case revisionNotKept(oldest: Int64)
    case releaseNotFound(Int64)
    /// A release later than the newest was to be restored.
    case releaseNotMade(Int64, newest: Int64)

    /// The environment has not come to the version that a client was built against.
    case versionNotReleased(PinnedVersion, newest: Head)
    /// The pinned major did not exist yet in the state of the past that was asked for.
    case majorReleasedLater(Int, at: Int64)
    case majorNotFound(Int)
    /// A client is pinned to a major that has been retired.
    case majorNotServed(Int)
    /// A major was to be retired again.
    case majorRetired(Int)
    /// The newest major was to be retired.
    case majorInUse(Int)
}
