internal import AlmanacRevisions
internal import AlmanacTimestamps

/// The condition of a write on the state of the config, or of the written part.
struct Precondition: Equatable {
    /// The tags of which one must be current, without quotes; nil for no condition.
    private let tags: [String]?
    /// The tags of which none may be current.
    private let otherTags: [String]
    /// The time since which nothing may have changed; nil for no condition.
    private let unmodifiedSince: Timestamp?

    static let none = Precondition(tags: nil, otherTags: [])

    init(tags: [String]?, otherTags: [String], unmodifiedSince: Timestamp? = nil) {
        (self.tags, self.otherTags, self.unmodifiedSince) = (tags, otherTags, unmodifiedSince)
    }

    var isEmpty: Bool { self == .none }

    /// Refuses a write if the current state does not meet the condition.
    ///
    /// A tag is compared by the cursor at its start, so the tag of any representation of the current config matches.
    ///
    /// - Parameter part: The tag of the written part, if the part has its own.
    func check(_ head: Head, part: PartTag? = nil) throws(ConfigRefusal) {
        func isPresent(_ tag: String) -> Bool {
            part?.isNamed(by: tag) == true || Cursor(tag.prefix { $0 != "-" }).map(head.isAt) == true
        }
        if let tags, !tags.contains(where: isPresent) { throw .configChanged(to: head) }
        if let unmodifiedSince, head.lastModified.isAfter(unmodifiedSince) { throw .configChanged(to: head) }
        if otherTags.contains(where: isPresent) { throw .configUnchanged(head) }
    }
}

/// The tag of a part of the config, which stays the same while other parts change.
struct PartTag: Equatable {
    /// The tag without quotes and without the suffix of a representation.
    let text: String

    /// Creates the tag of one entry.
    init(of entry: Entry, in head: Head) { text = "\(Cursor(revision: entry.revision, lineage: head.lineage))-entry" }

    /// Creates the tag of all flags.
    ///
    /// - Parameter rows: The rows of flags and shared settings, including tombstones and rows of past majors. Every
    ///   change of the flags alters the tag: a new row has a newer revision, a purge or a retired major removes rows,
    ///   and a flag that becomes a plain value reduces the number of newest rows.
    init(ofFlags rows: [Entry], in head: Head) {
        let cursor = Cursor(revision: rows.map(\.revision).max() ?? 0, lineage: head.lineage)
        text = "\(cursor)-set\(rows.count).\(rows.count(where: \.isNewest))"
    }

    /// The suffix of a representation for callers who may read flags.
    static let withFlags = "-flags"

    /// Returns true if a tag names this part, with or without the suffix for flags.
    func isNamed(by tag: String) -> Bool { tag == text || tag == text + Self.withFlags }

    /// The part of the config that a write changes.
    enum Subject {
        case entry(String)
        case flags
    }
}
