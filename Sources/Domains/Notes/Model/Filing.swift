internal import AlmanacForms
internal import AlmanacPOSIX

/// How a note is filed: its tags, and whether it is pinned.
struct Filing: Sendable, Equatable {
    var tags = Tags()
    var isPinned = false
}

/// The tags of a note, in the order of their bytes. Compared byte for byte, never normalised.
struct Tags: Sendable, Equatable {
    private(set) var members: [Member] = []

    struct Member: Sendable, Equatable {
        let tag: String
        /// That of the account when the tag was last added.
        var revision: Int64

        static func == (left: Member, right: Member) -> Bool {
            left.revision == right.revision && left.tag.hasSameBytes(as: right.tag)
        }
    }

    /// In the order of their bytes.
    var texts: [String] { members.map(\.tag) }
    /// Their length in UTF-8.
    var bytes: Int { members.reduce(0) { $0 + $1.tag.utf8.count } }

    /// What they take in the database at most, but for escapes: with each, its revision and marks.
    var storedBytes: Int { 2 + bytes + 25 * members.count }

    func contains(_ tag: String) -> Bool { members.contains { $0.tag.hasSameBytes(as: tag) } }

    /// Adds a tag; one that is there counts as added anew.
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
    /// - Parameter base: what whoever removes it had seen; a tag that was added later stays. Nil is all.
    mutating func remove(_ tag: String, seenUpTo base: Int64?) {
        members.removeAll { $0.tag.hasSameBytes(as: tag) && $0.revision <= base ?? .max }
    }
}

extension NoteTag {
    /// Sorts tags by their bytes and leaves repeats out.
    static func set(_ tags: [String]) -> [String] {
        tags.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.reduce(into: []) { set, tag in
            if set.last?.hasSameBytes(as: tag) != true { set.append(tag) }
        }
    }
}

/// What an action does to the way that its note is filed.
struct FilingEdit: Sendable {
    var tags: TagEdit?
    /// Nil leaves the pin as it is.
    var isPinned: Bool?

    enum TagEdit: Sendable {
        case change(adding: [String], removing: [String])
        /// All tags as the client wants them.
        case whole([String])
    }

    var isEmpty: Bool { tags == nil && isPinned == nil }

    /// The way that a note is filed after the edit.
    ///
    /// - Parameters:
    ///   - base: the account's revision that the client had seen; nil is the newest.
    ///   - known: the filing at the base; nil where that isn't known any more.
    ///   - revision: that of the account with the edit.
    func applied(
        to filing: Filing, base: Int64?, known: Filing?, at revision: Int64
    ) throws(NotesRefusal) -> Filing {
        var filing = filing
        filing.isPinned = isPinned ?? filing.isPinned
        let (added, removed): ([String], [String]) =
            switch tags {
            case nil: ([], [])
            case .change(let adding, let removing): (adding, removing)
            case .whole(let tags):
                (
                    tags.filter { tag in
                        known.map { !$0.tags.contains(tag) } ?? !filing.tags.contains(tag)
                    },
                    filing.tags.texts.filter { tag in !tags.contains { $0.hasSameBytes(as: tag) } }
                )
            }
        for tag in removed { filing.tags.remove(tag, seenUpTo: base) }
        for tag in added { filing.tags.add(tag, at: revision) }
        let count = filing.tags.members.count
        guard added.isEmpty || count <= NoteTag.mostOfNote else { throw .tooManyTags(count) }
        return filing
    }
}
