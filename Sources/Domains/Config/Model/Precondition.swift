internal import AlmanacHTTP
internal import AlmanacRevisions

/// The condition that a write sets on the state of the config: its `If-Match` header.
struct Precondition {
    private let match: EntityTags?

    static let none = Precondition(match: nil)

    private init(match: EntityTags?) {
        self.match = match
    }

    init(_ headers: Headers) throws(Problem) {
        match = try headers.entityTags("If-Match")
    }

    /// Refuses a write when the config has moved on from the state that the writer saw.
    ///
    /// A tag counts by the cursor that it begins with, so the tag of any representation of the config will do.
    func check(_ head: Head) throws(Problem) {
        guard case .listed(let tags) = match else { return }
        let isMet = tags.contains { tag in
            guard let cursor = Cursor(tag.prefix { $0 != "-" }) else { return false }
            return cursor.revision == head.revision && (cursor.lineage ?? head.lineage) == head.lineage
        }
        guard isMet else {
            throw Problem(
                .preconditionFailed, "the config is at \(head.cursor) now; read it again, then repeat the change",
                headers: ConfigHeaders.fields(of: head))
        }
    }
}
