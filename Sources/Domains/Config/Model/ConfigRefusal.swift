internal import AlmanacRevisions

/// A refused config request, with the facts of the refusal.
enum ConfigRefusal: Error, Equatable {
    /// The text is not a valid key.
    case invalidKey
    /// The write changes keys outside of the caller's scope. `allowed` lists the permitted patterns.
    case keysOutOfScope([String], allowed: [String])
    /// No entry has that key now.
    case entryNotFound(_ key: String, in: Head)
    case flagNotFound(_ key: String, in: Head)
    /// No entry has ever had that key.
    case entryNeverExisted(_ key: String)
    /// The entry to create already exists.
    case entryExists(_ key: String, in: Head)
    /// A create-only write would have replaced an entry.
    case wouldReplace(_ key: String, in: Head)
    /// A replace-only write would have created an entry.
    case wouldCreate(_ key: String, in: Head)
    /// The config is still in a state that the precondition excludes.
    case configUnchanged(Head)
    /// The key cannot have that kind.
    case kindNotAllowed(EntryKind, _ key: String)
    /// Flags in the release, or flags affected by it, could not be evaluated.
    case invalidFlags([DefinitionFault])
    /// Names of flags are not valid keys.
    case invalidFlagKeys([String])
    case valueTooLarge(_ key: String, bytes: Int, limit: Int)
    case tooManyEntries(Int, limit: Int)
    /// A merge patch cannot express the new values of these keys, because a member of them is null.
    case differenceNotExpressible(_ keys: [String])
    /// These flags differ, but the requested form contains only plain values.
    case flagsDiffer(_ keys: [String])

    /// The config has changed since the state that the writer saw.
    case configChanged(to: Head)
    /// The required revision did not arrive in time.
    case revisionNotReached(Int64, newest: Head)
    case revisionNotFound(Cursor, newest: Cursor)
    /// The history no longer contains the revision.
    case revisionTrimmed(oldest: Int64)
    case releaseNotFound(Int64)
    /// The release to restore is later than the newest.
    case releaseInFuture(Int64, newest: Int64)

    /// The environment has not released the version that the client was built against.
    case versionNotReleased(PinnedVersion, newest: Head)
    /// The pinned major did not exist yet at the requested revision.
    case majorReleasedLater(Int, at: Int64)
    case majorNotFound(Int)
    /// The client is pinned to a retired major.
    case majorNotServed(Int)
    /// The major to retire is already retired.
    case majorRetired(Int)
    /// The major to retire is the newest.
    case majorInUse(Int)
}
