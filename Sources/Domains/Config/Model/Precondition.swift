internal import AlmanacRevisions
internal import AlmanacTimestamps

/// The condition that a write sets on the state of the config, or of the part that it writes.
struct Precondition: Equatable {
    /// The tags of which one must be present; nil for any.
    private let tags: [String]?
    /// The tags of which none may be.
    private let otherTags: [String]
    /// A time since which nothing has changed; nil for any.
    private let unmodifiedSince: Timestamp?

    static let none = Precondition(tags: nil, otherTags: [])

    /// - Parameters:
    ///   - tags: those that the writer saw, without quotes; nil for any.
    ///   - otherTags: those that the writer knows, and does not want to change.
    ///   - unmodifiedSince: nil for any.
    init(tags: [String]?, otherTags: [String], unmodifiedSince: Timestamp? = nil) {
        (self.tags, self.otherTags, self.unmodifiedSince) = (tags, otherTags, unmodifiedSince)
    }

    var isEmpty: Bool { self == .none }

    /// Refuses a write when the config has moved on from the state that the writer saw, or has not.
    ///
    /// A tag counts by the cursor that it begins with, so the tag of any representation of the present config will do.
    ///
    /// - Parameter part: the tag of what is written, where that has one of its own.
    func check(_ head: Head, part: PartTag? = nil) throws(ConfigRefusal) {
        func isPresent(_ tag: String) -> Bool {
            part?.isNamed(by: tag) == true || Cursor(tag.prefix { $0 != "-" }).map(head.isAt) == true
        }
        if let tags, !tags.contains(where: isPresent) { throw .movedOn(to: head) }
        if let unmodifiedSince, head.lastModified.isAfter(unmodifiedSince) { throw .movedOn(to: head) }
        if otherTags.contains(where: isPresent) { throw .stillThere(head) }
    }
}

/// The tag of a part of the config: it stays the same while other parts change.
struct PartTag: Equatable {
    /// Without quotes, and without what a representation adds.
    let text: String

    /// The tag of one entry.
    init(of entry: Entry, in head: Head) {
        text = "\(Cursor(revision: entry.revision, lineage: head.lineage))-entry"
    }

    /// The tag of all flags.
    ///
    /// - Parameter rows: those that are no plain values, tombstones and those of past majors included. A change adds a
    ///   row with a newer revision; a purge and the end of a major leave fewer, and a flag that becomes a plain value
    ///   leaves fewer that are the newest of their keys.
    init(ofFlags rows: [Entry], in head: Head) {
        let cursor = Cursor(revision: rows.map(\.revision).max() ?? 0, lineage: head.lineage)
        text = "\(cursor)-set\(rows.count).\(rows.count(where: \.isNewest))"
    }

    /// The ending that a representation adds for those who may read flags.
    static let withFlags = "-flags"

    /// Says whether it is the tag of a representation, for those who may read flags too.
    func isNamed(by tag: String) -> Bool { tag == text || tag == text + Self.withFlags }

    /// The part of the config that a write is about.
    enum Subject {
        case entry(String)
        case flags
    }
}
