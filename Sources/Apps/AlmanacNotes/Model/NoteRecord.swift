/// Everything that is known of one note: its text here, the server's, and what lies between them.
///
/// A plain value. What a user does, what the server answers and what it tells of are methods that change it; nothing
/// here reads or writes anything else.
struct NoteRecord: Sendable, Hashable {
    let id: String
    var text: NoteText
    /// Its user sees it in the trash.
    var isInTrash = false
    /// Its place in the server's list; nil before the server has told.
    var position: String?
    /// In milliseconds since 1970.
    var createdAt: Int64
    var updatedAt: Int64

    /// The last text known to be the server's; nil before the server knows the note.
    var shadow: Shadow?
    var isInServersTrash = false
    /// The revision of the last news of the note, which may have no text.
    var heard: Int64 = 0
    /// What is on its way.
    var flight: Flight?
    /// What others did while something was on its way.
    var news: News?
    /// Where its user has moved it.
    var wish: Wish?
    /// Why the server refused the last action.
    var problem: NoteProblem?
    /// The server could not find the base of an update, so the next one spells it out.
    var spellsBase = false

    struct Shadow: Sendable, Hashable {
        let text: NoteText
        let cursor: Cursor
    }

    /// An action that was sent, or is about to be, and has not been answered.
    struct Flight: Sendable, Hashable {
        let actionID: String
        let kind: Kind
        /// The text when it was sent; its base is the shadow's, which does not change meanwhile.
        let text: NoteText
        /// For a move: the note it goes behind, nil for the first place.
        var after: String?
        var wishNumber: Int64?

        enum Kind: String, Sendable {
            case create, update, delete, restore, move
            /// An update that does not name the revision of its base but holds the base text.
            case spelledUpdate
        }
    }

    /// A state of the note on the server.
    struct News: Sendable, Hashable {
        let cursor: Cursor
        /// Nil when it is in the trash or gone.
        let text: NoteText?
        let position: String?
    }

    /// A place in the list that the server does not know of yet.
    struct Wish: Sendable, Hashable {
        /// Later wishes have higher numbers.
        let number: Int64
        /// Nil for the first place.
        let after: String?
        /// The revision of the move, once the server has it.
        var acknowledged: Int64?
    }

    init(id: String, text: NoteText, createdAt: Int64, updatedAt: Int64) {
        self.id = id
        self.text = text
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

extension NoteRecord {
    /// Whether the text here is the server's.
    var isClean: Bool { shadow.map { $0.text == text } ?? false }

    /// What has to be sent next; nil when nothing, or not before an answer.
    var nextKind: Flight.Kind? {
        guard flight == nil, problem == nil else { return nil }
        // A note that was deleted before it was ever sent goes to the server's trash, as any other.
        guard let shadow else { return isInTrash && text == NoteText() ? nil : .create }
        // Unsent text goes first even when the note was deleted: the trash is to hold all of it.
        if shadow.text != text { return spellsBase ? .spelledUpdate : .update }
        if isInTrash != isInServersTrash { return isInTrash ? .delete : .restore }
        if let wish, wish.acknowledged == nil, !isInTrash { return .move }
        return nil
    }

    /// Whether the server has something yet to be told.
    var isDirty: Bool { flight != nil || nextKind != nil }

    var status: NoteStatus {
        if let problem { return .needsAttention(problem) }
        return isDirty || shadow == nil ? .onThisDevice : .onServer
    }
}
