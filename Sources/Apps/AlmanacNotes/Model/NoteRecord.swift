internal import AlmanacRevisions

/// The state of one note: the local text, the server's text and the pending changes.
///
/// A value type without I/O. Its methods apply the user's edits, the results of actions and other devices' changes.
struct NoteRecord: Sendable, Hashable {
    let id: String
    var text: StoredNote.Text
    /// The list in which the user sees the note.
    var place = Place.list
    /// The position in the server's list; nil before the server has assigned one.
    var position: String?
    /// The time in milliseconds since 1970.
    var createdAt: Int64
    /// The time of the last edit of title or body, in milliseconds since 1970.
    var updatedAt: Int64
    /// True if the times were imported instead of taken from this device's clock, so they are sent to the server.
    var hasImportedTimes = false

    /// The last known text on the server; nil before the server has the note.
    var shadow: Shadow?
    var isInServersTrash = false
    /// The revision of the last change from the server, also of a change without a text.
    var lastReceived: Int64 = 0
    /// The action that is recorded for sending and has no result yet.
    var pendingAction: PendingAction?
    /// The last change by another device that arrived while an action was pending.
    var deferredChange: RemoteChange?
    /// The user's move of the note, until the server's list contains it.
    var pendingMove: PendingMove?
    /// The reason for the server's rejection of the last action.
    var problem: StoredNote.Problem?
    /// True if the server could not find an update's base, so the next update contains the base text.
    var spellsBase = false

    /// Raw values are stored in files.
    enum Place: Int64, Sendable {
        case list = 0
        case trash = 1
        /// Removed permanently; the record remains until the server has removed the note too.
        case removed = 2
    }

    struct Shadow: Sendable, Hashable {
        let text: StoredNote.Text
        let cursor: Cursor
    }

    /// An action with all data for a retry.
    struct PendingAction: Sendable, Hashable {
        let id: String
        let kind: Kind
        /// The sent text. Its base is the shadow, which does not change while the action is pending.
        let text: StoredNote.Text
        /// For a move: the preceding note; nil for the first position.
        var after: String?
        /// For a move: the number of its ``PendingMove``.
        var moveNumber: Int64?

        /// Raw values are stored in files.
        enum Kind: String, Sendable {
            case create, update, delete, restore, move, purge
            /// An update that contains its base text instead of the base's revision.
            case spelledUpdate
        }
    }

    /// A state of the note on the server, created by another device.
    struct RemoteChange: Sendable, Hashable {
        let cursor: Cursor
        /// The text; nil if the note is in the trash or removed.
        let text: StoredNote.Text?
        let position: String?
    }

    /// A move that the server's list does not contain yet.
    struct PendingMove: Sendable, Hashable {
        /// The sequence number of the move; later moves have higher numbers.
        let number: Int64
        /// The preceding note; nil for the first position.
        let after: String?
        /// The revision of the move; nil before the server has acknowledged it.
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
    /// True if the note is not in the list.
    var isInTrash: Bool {
        get { place != .list }
        set { if newValue != isInTrash { place = newValue ? .trash : .list } }
    }

    /// True if the local text equals the server's text.
    var isClean: Bool { shadow.map { $0.text == text } ?? false }

    /// True if the title or the body differs from the server's.
    var hasUnsentText: Bool { shadow.map { !$0.text.hasSameTitleAndBody(as: text) } ?? true }

    /// The kind of the next action to send; nil if there is none, or while an action is pending.
    var nextAction: PendingAction.Kind? {
        guard pendingAction == nil, problem == nil else { return nil }
        // A note deleted before it was ever sent is moved to the server's trash too, unless it is empty.
        guard let shadow else { return isInTrash && text == StoredNote.Text() ? nil : .create }
        // A deletion with a base yields to an unseen edit, but a permanent removal does not, so delete first.
        if place == .removed { return isInServersTrash ? .purge : .delete }
        // Unsent text is sent first even for a deleted note, so that the trash contains all of it. A changed title or
        // body restores a note from the server's trash; tags and the pin do not.
        if isInServersTrash, !isInTrash, !hasUnsentText { return .restore }
        if shadow.text != text { return spellsBase ? .spelledUpdate : .update }
        if isInTrash, !isInServersTrash { return .delete }
        if let pendingMove, pendingMove.acknowledged == nil, !isInTrash { return .move }
        return nil
    }

    /// True if the note has an action to send, or an action without a result.
    var isDirty: Bool { pendingAction != nil || nextAction != nil }

    var status: StoredNote.Status {
        if let problem { return .needsAttention(problem) }
        return isDirty || shadow == nil ? .onThisDevice : .onServer
    }
}

// The user's actions.
extension NoteRecord {
    /// Changes the text and clears a rejected action's problem. A changed title or body restores the note from the
    /// trash; only such a change is an edit of the given time.
    mutating func edit(_ text: StoredNote.Text, at time: Int64) {
        guard text != self.text else { return }
        if !text.hasSameTitleAndBody(as: self.text) {
            isInTrash = false
            updatedAt = max(time, createdAt)
        }
        self.text = text
        problem = nil
    }

    mutating func moveToTrash() {
        isInTrash = true
        pendingMove = nil
    }

    /// Removes the note permanently. Returns `.keep` if the server has the note or may get it.
    mutating func removeForGood() -> Disposition {
        place = .removed
        problem = nil
        return shadow == nil && pendingAction == nil ? .remove : .keep
    }

    mutating func takeOutOfTrash() {
        isInTrash = false
        if problem != nil { problem = nil }
    }

    /// Moves the note after another note, or to the first position for nil. The trash has no positions.
    mutating func move(after other: String?, number: Int64) {
        if !isInTrash { pendingMove = PendingMove(number: number, after: other) }
    }

    /// Discards a rejected change. Returns false if the server does not have the note either.
    mutating func discardChange() -> Bool {
        guard let problem else { return true }
        guard let shadow, problem.type != Self.goneType else { return false }
        text = shadow.text
        isInTrash = isInServersTrash
        self.problem = nil
        return true
    }

    /// Begins the next action. Returns nil if there is nothing to send, or while an action is pending.
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

    /// The problem type for a note that the server does not have or has removed permanently.
    static let goneType = "note-gone"
}

/// A note with the properties that determine its position in a list.
protocol ListedNote {
    var id: String { get }
    var isPinned: Bool { get }
    var pendingMove: NoteRecord.PendingMove? { get }
}

extension NoteRecord: ListedNote {
    var isPinned: Bool { text.isPinned }
}

extension Array where Element: ListedNote {
    /// Sorts notes in the server's order into the user's order: the pinned notes first, with pending moves applied.
    func inListOrder() -> Self { withPendingMoves().pinnedFirst() }

    func pinnedFirst() -> Self { contains(where: \.isPinned) ? filter(\.isPinned) + filter { !$0.isPinned } : self }

    /// Applies pending moves to notes in the server's order.
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
