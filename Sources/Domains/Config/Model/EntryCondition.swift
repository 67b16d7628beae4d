internal import AlmanacHTTP
internal import AlmanacRevisions

/// The condition that a write of one entry sets on it, by `If-Match` and `If-None-Match`: a star for any entry, the tag
/// of the entry, or that of the config as a whole.
struct EntryCondition {
    private let wanted: EntityTags?
    private let known: EntityTags?

    static let none = EntryCondition(wanted: nil, known: nil)

    /// The form of an entry's tag.
    static let form = "-entry"

    /// - Parameters:
    ///   - wanted: the states in which the write may be done; nil for any.
    ///   - known: those in which it may not be done.
    init(wanted: EntityTags?, known: EntityTags?) {
        (self.wanted, self.known) = (wanted, known)
    }

    init(_ headers: Headers) throws(Problem) {
        self.init(wanted: try headers.entityTags("If-Match"), known: try headers.entityTags("If-None-Match"))
    }

    /// Refuses a write of an entry that is not as the writer saw it.
    ///
    /// - Parameter entry: nil where there is none.
    func check(_ key: String, _ entry: Entry?, in head: Head) throws(ConfigRefusal) {
        switch wanted {
        case .any: if entry == nil { throw .wouldCreate(key, in: head) }
        case .listed(let tags):
            if !tags.contains(where: { Self.names($0, entry, in: head) }) { throw .movedOn(to: head) }
        case nil: break
        }
        switch known {
        case .any: if entry != nil { throw .wouldReplace(key, in: head) }
        case .listed(let tags): if tags.contains(where: { Self.names($0, entry, in: head) }) { throw .stillThere(head) }
        case nil: break
        }
    }

    private static func names(_ tag: String, _ entry: Entry?, in head: Head) -> Bool {
        guard let cursor = Cursor(tag.prefix { $0 != "-" }), head.isOfSameHistory(as: cursor) else { return false }
        return cursor.revision == (tag.contains(form) ? entry?.revision : head.revision)
    }
}
