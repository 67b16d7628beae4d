import AlmanacEnvironments
import AlmanacJSON
import AlmanacRevisions
import AlmanacTimestamps

@testable import AlmanacNotesDomain

/// An account with notes in memory, the input of an action's plan.
struct StoredNotes {
    var account = Account.stored()
    var notes: [Note] = []
    /// The past texts of notes, each with its first revision.
    var history: [(id: String, revision: Int64, text: NoteText)] = []
    /// The recorded results of earlier actions, by action id.
    var earlier: [String: AppliedAction] = [:]
    var limits = Limits()

    init(_ notes: Note..., account: Account = .stored(), limits: Limits = Limits()) {
        self.notes = notes
        self.account = account
        self.limits = limits
    }

    /// Returns the stored state of an action's note, with only the data that the action needs.
    func state(of action: Action) -> NoteState {
        var state = NoteState(account: account, note: note(action.noteID), earlier: action.id.flatMap { earlier[$0] })
        switch state.need(of: action) {
        case nil: break
        case .earlierNote(let id): state.earlierNote = note(id)
        case .historicalText(let revision):
            let found = history.last { $0.id == action.noteID && $0.revision <= revision }
            state.historicalText = found.map { .available($0.text) } ?? .none
        case .neighbours(let place): state.neighbours = neighbours(at: place, excluding: action.noteID)
        }
        return state
    }

    func plan(_ action: Action) throws(NotesRefusal) -> ActionPlan {
        try ActionPlan(action, on: state(of: action), limits: limits)
    }

    func plan(_ change: Action.Change, id: String? = nil, of noteID: String = "n1") throws(NotesRefusal) -> ActionPlan {
        try plan(Action(id: id, noteID: noteID, change: change))
    }

    /// Plans an action in JSON.
    func plan(json: String) throws -> ActionPlan {
        switch ActionRequest(try JSONValue(json: json)) {
        case .valid(let action): try plan(action)
        case .refused(let refusal, _, _): throw refusal
        }
    }

    private func note(_ id: String) -> Note? { notes.first { $0.id == id } }

    private func neighbours(at place: Action.Place, excluding id: String) -> ListPosition.Neighbours? {
        let list = notes.filter { !$0.isPurged }.sorted { $0.position < $1.position }
        let otherPositions = list.filter { $0.id != id }.map(\.position)
        switch place {
        case .first: return ListPosition.Neighbours(upper: otherPositions.first)
        case .last: return ListPosition.Neighbours(lower: otherPositions.last)
        case .after(let before):
            guard let lower = list.first(where: { $0.id == before })?.position else { return nil }
            return ListPosition.Neighbours(lower: lower, upper: otherPositions.first { $0 > lower })
        }
    }
}

extension Account {
    static func stored(revision: Int64 = 9, oldestRevision: Int64 = 0, notes: Int = 1, bytes: Int64 = 100) -> Account {
        Account(
            id: 1, lineage: "k3f9k3f9", createdAt: Timestamp(milliseconds: 0), updatedAt: Timestamp(milliseconds: 0),
            revision: revision, oldestRevision: oldestRevision, notes: notes, bytes: bytes)
    }
}

extension Note {
    /// - Parameters:
    ///   - textRevision: the revision of the texts.
    ///   - revision: the note's revision, by default that of the texts.
    static func stored(
        _ id: String = "n1", title: String = "", body: String = "", position: String = "a0", textRevision: Int64 = 1,
        revision: Int64? = nil, isDeleted: Bool = false, isPurged: Bool = false
    ) -> Note {
        let time = Timestamp(milliseconds: 0)
        return Note(
            id: id, text: NoteText(title: title, body: body), position: position, createdAt: time, updatedAt: time,
            editedAt: time, revision: revision ?? textRevision, textRevision: textRevision,
            deletedAt: isDeleted || isPurged ? time : nil, isPurged: isPurged)
    }
}

extension ActionPlan {
    /// The write and the status in short form: `updateNote body 'milk bread' +6, merged`.
    var summary: String {
        let write =
            switch write {
            case .duplicate(let earlier, let note): "repeated \(earlier.noteID)\(note == nil ? " without a note" : "")"
            case .unchanged: "unchanged"
            case .create(let text, let position): "createNote '\(text.title)' '\(text.body)' at \(position)"
            case .changeText(let title, let body, let growth, let kind):
                "\(kind)" + (title.map { " title '\($0)'" } ?? "") + (body.map { " body '\($0)'" } ?? "")
                    + (growth < 0 ? " \(growth)" : " +\(growth)")
            case .changePlace(let position, let isDeleted, let kind):
                "\(kind)" + (position.map { " to \($0)" } ?? "") + (isDeleted ? " in the trash" : "")
            case .purge(let bytes): "purgeNote -\(bytes)"
            }
        return "\(write), \(status)" + (isRestored ? " restored" : "") + (renumbersList ? ", renumbers" : "")
    }
}
