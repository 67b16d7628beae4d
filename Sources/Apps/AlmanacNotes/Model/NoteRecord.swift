internal import AlmanacRevisions

/// Everything that is known of one note: its text here, the server's, and what lies between them.
///
/// A plain value. What a user does, what became of an action and what others have changed are methods that change it;
/// nothing here reads or writes anything else.
struct NoteRecord: Sendable, Hashable {
    let id: String
    var text: StoredNote.Text
    /// Where its user sees it.
    var place = Place.list
    /// Its place in the server's list; nil before the server has given it one.
    var position: String?
    /// In milliseconds since 1970.
    var createdAt: Int64
    var updatedAt: Int64
    /// Its times come from elsewhere, and not from this device's clock, so the server is told them.
    var hasOwnTimes = false

    /// The last text known to be the server's; nil before the server knows the note.
    var shadow: Shadow?
    var isInServersTrash = false
    /// The revision of the last change that came from the server; the change may have had no text.
    var lastReceived: Int64 = 0
    /// The action that was sent, or is about to be, and has no result yet.
    var pendingAction: PendingAction?
    /// The changes of others while the action was pending.
    var waitingChange: RemoteChange?
    /// Where its user has moved it, until the server's list has it there.
    var pendingMove: PendingMove?
    /// Why the server refused the last action.
    var problem: StoredNote.Problem?
    /// The server could not find the base of an update, so the next one spells it out.
    var spellsBase = false

    /// The raw values stand in files.
    enum Place: Int64, Sendable {
        case list = 0
        case trash = 1
        /// Taken out of the trash for good; it is here until the server has removed it too.
        case removed = 2
    }

    struct Shadow: Sendable, Hashable {
        let text: StoredNote.Text
        let cursor: Cursor
    }

    /// One action of ours, with what it needs to be sent again.
    struct PendingAction: Sendable, Hashable {
        let id: String
        let kind: Kind
        /// The text when it was sent; its base is the shadow's, which does not change meanwhile.
        let text: StoredNote.Text
        /// For a move: the note it goes behind, nil for the first place.
        var after: String?
        /// For a move: that of ``PendingMove``.
        var moveNumber: Int64?

        /// The raw values stand in files.
        enum Kind: String, Sendable {
            case create, update, delete, restore, move, purge
            /// An update that does not name the revision of its base but holds the base text.
            case spelledUpdate
        }
    }

    /// A state of the note on the server that others have made.
    struct RemoteChange: Sendable, Hashable {
        let cursor: Cursor
        /// Nil when it is in the trash or gone.
        let text: StoredNote.Text?
        let position: String?
    }

    /// A place in the list that the server's list does not have yet.
    struct PendingMove: Sendable, Hashable {
        /// Later moves have higher numbers.
        let number: Int64
        /// Nil for the first place.
        let after: String?
        /// The revision of the move, once the server has it.
        var acknowledged: Int64?
    }

    init(id: String, text: StoredNote.Text, createdAt: Int64, updatedAt: Int64) {
        self.id = id
        self.text = text
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

extension NoteRecord {
    /// Its user sees it in the list no more.
    var isInTrash: Bool {
        get { place != .list }
        set { if newValue != isInTrash { place = newValue ? .trash : .list } }
    }

    /// Whether the text here is the server's.
    var isClean: Bool { shadow.map { $0.text == text } ?? false }

    /// Whether its title or body is not what the server has.
    var hasUnsentWords: Bool { shadow.map { !$0.text.hasSameWords(as: text) } ?? true }

    /// The action to send next; nil when there is none, or not before the pending action has its result.
    var nextAction: PendingAction.Kind? {
        guard pendingAction == nil, problem == nil else { return nil }
        // A note that was deleted before it was ever sent goes to the server's trash, as any other.
        guard let shadow else { return isInTrash && text == StoredNote.Text() ? nil : .create }
        // With its base, a deletion gives way to an edit that was not seen here; removing for good does not.
        if place == .removed { return isInServersTrash ? .purge : .delete }
        // Unsent text goes first even when the note was deleted: the trash is to hold all of it.
        // Words take the note out of the server's trash, tags and the pin do not.
        if isInServersTrash, !isInTrash, !hasUnsentWords { return .restore }
        if shadow.text != text { return spellsBase ? .spelledUpdate : .update }
        if isInTrash, !isInServersTrash { return .delete }
        if let pendingMove, pendingMove.acknowledged == nil, !isInTrash { return .move }
        return nil
    }

    /// Whether something of it has to be sent yet, or has no result.
    var isDirty: Bool { pendingAction != nil || nextAction != nil }

    var status: StoredNote.Status {
        if let problem { return .needsAttention(problem) }
        return isDirty || shadow == nil ? .onThisDevice : .onServer
    }
}

// The actions of its user.
extension NoteRecord {
    /// Changes the text; an edit of its words takes the note out of the trash, and one that was refused is sent again.
    mutating func edit(_ text: StoredNote.Text, at time: Int64) {
        guard text != self.text else { return }
        if !text.hasSameWords(as: self.text) { isInTrash = false }
        self.text = text
        updatedAt = max(time, createdAt)
        problem = nil
    }

    mutating func moveToTrash() {
        isInTrash = true
        pendingMove = nil
    }

    /// Takes it out of the trash for good.
    ///
    /// - Returns: whether the record is kept, because the server knows the note, or is about to.
    mutating func removeForGood() -> Disposition {
        place = .removed
        problem = nil
        return shadow == nil && pendingAction == nil ? .remove : .keep
    }

    mutating func takeOutOfTrash() {
        isInTrash = false
        if problem != nil { problem = nil }
    }

    /// Moves it behind another note, or with nil to the first place; in the trash there are no places.
    mutating func move(after other: String?, number: Int64) {
        if !isInTrash { pendingMove = PendingMove(number: number, after: other) }
    }

    /// Lets go of a change that the server refused.
    ///
    /// - Returns: false when the server has no such note either, so that nothing is left of it.
    mutating func discardChange() -> Bool {
        guard let problem else { return true }
        guard let shadow, problem.type != Self.goneType else { return false }
        text = shadow.text
        isInTrash = isInServersTrash
        self.problem = nil
        return true
    }

    /// Begins the next action.
    ///
    /// - Returns: nil when nothing has to be sent, or not yet.
    mutating func beginAction(id: String) -> PendingAction? {
        guard let kind = nextAction else { return nil }
        var action = PendingAction(id: id, kind: kind, text: text)
        if kind == .move, let pendingMove {
            action.after = pendingMove.after
            action.moveNumber = pendingMove.number
        }
        pendingAction = action
        return action
    }

    /// The type of the problem that the server knows no such note, or has removed it for good.
    static let goneType = "note-gone"
}

/// What a list needs to know of a note.
protocol ListedNote {
    var id: String { get }
    var isPinned: Bool { get }
    var pendingMove: NoteRecord.PendingMove? { get }
}

extension NoteRecord: ListedNote {
    var isPinned: Bool { text.isPinned }
}

extension Array where Element: ListedNote {
    /// Notes in the order of the server's list, put into that of its user's: the pinned ones first.
    func inListOrder() -> Self { withPendingMoves().pinnedFirst() }

    func pinnedFirst() -> Self {
        contains(where: \.isPinned) ? filter(\.isPinned) + filter { !$0.isPinned } : self
    }

    /// Notes in the order of the server's list, put into the order with the moves that the list does not have yet.
    func withPendingMoves() -> Self {
        let moved = filter { $0.pendingMove != nil }.sorted { $0.pendingMove!.number < $1.pendingMove!.number }
        guard !moved.isEmpty else { return self }
        var list = self
        for record in moved {
            guard let move = record.pendingMove, let index = list.firstIndex(where: { $0.id == record.id }) else {
                continue
            }
            guard let after = move.after else {
                list.insert(list.remove(at: index), at: 0)
                continue
            }
            guard list.contains(where: { $0.id == after }) else { continue }
            let note = list.remove(at: index)
            let place = list.firstIndex { $0.id == after }.map { $0 + 1 } ?? index
            list.insert(note, at: place)
        }
        return list
    }
}
