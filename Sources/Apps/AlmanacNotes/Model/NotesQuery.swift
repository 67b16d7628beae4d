/// Which notes a list shows, in which order, and how many.
public struct NotesQuery: Sendable, Hashable {
    /// Where notes lie.
    public enum Place: Sendable {
        /// In the list of notes.
        case list
        /// In the trash, the latest change first.
        case trash
    }

    /// In which order they come.
    public enum Order: Sendable {
        /// As their user has put them.
        case byHand
        /// The one that was changed last first.
        case latestFirst
    }

    /// Where the notes lie.
    public var place: Place
    /// How they are sorted where no words are searched for, the pinned ones of the list first; those with words come
    /// the best first.
    public var order: Order
    /// Only the notes that a search for this text finds, as ``NotesStore/search(_:limit:)`` does; all of them where
    /// nothing is searched for.
    public var words: String
    /// Only the notes that have all of these tags.
    public var tags: [String]
    /// How many notes come before the first one that is shown.
    public var offset: Int
    /// The most notes that are shown; nil shows all, and 100 where words are searched for.
    public var limit: Int?

    /// By default all notes of the list in its order.
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
