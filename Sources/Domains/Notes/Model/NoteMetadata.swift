internal import AlmanacForms
internal import AlmanacPOSIX

struct NoteMetadata: Sendable, Equatable {
    var tags = Tags()
    var isPinned = false
}

/// The tags of a note, sorted by bytes and compared byte for byte without normalisation.
struct Tags: Sendable, Equatable {
    private(set) var members: [Member] = []

    struct Member: Sendable, Equatable {
        let tag: String
        /// The account's revision at which the tag was last added.
        var revision: Int64

        static func == (left: Member, right: Member) -> Bool {
            left.revision == right.revision && left.tag.hasSameBytes(as: right.tag)
        }
    }

    /// The tags, sorted by bytes.
    var texts: [String] { members.map(\.tag) }
    /// The length of the tags in UTF-8, in bytes.
    var bytes: Int { members.reduce(0) { $0 + $1.tag.utf8.count } }

    /// An upper bound of the stored size in bytes, without escapes: 25 bytes per tag for revision and punctuation.
    var storedBytes: Int { 2 + bytes + 25 * members.count }

    func contains(_ tag: String) -> Bool { members.contains { $0.tag.hasSameBytes(as: tag) } }

    /// Adds a tag, or updates the revision of a tag that is already there.
    mutating func add(_ tag: String, at revision: Int64) {
        let place = members.firstIndex { !$0.tag.utf8.lexicographicallyPrecedes(tag.utf8) } ?? members.count
        if place < members.count, members[place].tag.hasSameBytes(as: tag) {
            members[place].revision = revision
        } else {
            members.insert(Member(tag: tag, revision: revision), at: place)
        }
    }

    /// Removes a tag.
    ///
    /// - Parameter base: the revision that the client had seen; a later tag stays. Nil always removes the tag.
    mutating func remove(_ tag: String, seenUpTo base: Int64?) {
        members.removeAll { $0.tag.hasSameBytes(as: tag) && $0.revision <= base ?? .max }
    }
}

extension NoteTag {
    /// Sorts tags by their bytes and removes duplicates.
    static func set(_ tags: [String]) -> [String] {
        tags.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.reduce(into: []) { set, tag in
            if set.last?.hasSameBytes(as: tag) != true { set.append(tag) }
        }
    }
}

/// The change that an action makes to a note's metadata.
struct NoteMetadataEdit: Sendable {
    var tags: TagEdit?
    /// Nil leaves the pin unchanged.
    var isPinned: Bool?

    enum TagEdit: Sendable {
        case change(adding: [String], removing: [String])
        /// Replaces all tags.
        case whole([String])
    }

    var isEmpty: Bool { tags == nil && isPinned == nil }

    /// Returns a note's metadata after the edit.
    ///
    /// - Parameters:
    ///   - base: the account's revision that the client had seen; nil is the newest.
    ///   - known: the metadata at the base; nil if it was thinned out.
    ///   - revision: the account's revision after the edit.
    func applied(
        to metadata: NoteMetadata, base: Int64?, known: NoteMetadata?, at revision: Int64
    ) throws(NotesRefusal) -> NoteMetadata {
        var metadata = metadata
        metadata.isPinned = isPinned ?? metadata.isPinned
        let (added, removed): ([String], [String]) =
            switch tags {
            case nil: ([], [])
            case .change(let adding, let removing): (adding, removing)
            case .whole(let tags):
                (
                    tags.filter { tag in known.map { !$0.tags.contains(tag) } ?? !metadata.tags.contains(tag) },
                    metadata.tags.texts.filter { tag in !tags.contains { $0.hasSameBytes(as: tag) } }
                )
            }
        for tag in removed { metadata.tags.remove(tag, seenUpTo: base) }
        for tag in added { metadata.tags.add(tag, at: revision) }
        let count = metadata.tags.members.count
        guard added.isEmpty || count <= NoteTag.maxPerNote else { throw .tooManyTags(count) }
        return metadata
    }
}
