/// A query for notes: place, order, filter and page.
public struct NotesQuery: Sendable, Hashable {
    /// The list or the trash.
    public enum Place: Sendable {
        /// The list of notes.
        case list
        /// The trash, sorted by the latest change.
        case trash
    }

    /// The order of the result.
    public enum Order: Sendable {
        /// The user's order.
        case byHand
        /// The order of the latest change, newest first.
        case latestFirst
    }

    /// The list or the trash.
    public var place: Place
    /// The order of the result; in the list, pinned notes are first. A search sorts by rank instead.
    public var order: Order
    /// A search text like in ``NotesStore/search(_:limit:)``. Empty selects all notes.
    public var words: String
    /// Tags that every selected note must have.
    public var tags: [String]
    /// The number of notes to skip.
    public var offset: Int
    /// The maximum number of notes. Nil means no limit, or 100 for a search.
    public var limit: Int?

    /// Creates a query, by default for all notes of the list.
    public init(
        _ place: Place = .list, order: Order = .byHand, words: String = "", tags: [String] = [], offset: Int = 0,
        limit: Int? = nil
    ) {
        self.place = place
        self.order = order
        self.words = words
        self.tags = tags
        self.offset = offset
        self.limit = limit
    }
}
