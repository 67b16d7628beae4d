public import Observation

/// One note whose title and body are there to be bound to, for SwiftUI and whatever else observes.
///
/// ```swift
/// struct NoteScreen: View {
///     @State var note: ObservedNote
///
///     var body: some View {
///         TextField("Title", text: $note.title)
///         TextEditor(text: $note.body)
///             .onDisappear { Task { try await note.save() } }
///     }
/// }
/// ```
///
/// What is typed goes to the disk right away, and what others write is merged into it, by the server and here alike. It
/// reads nothing before somebody looks at it, and stops with the last reference to it.
@MainActor @Observable
public final class ObservedNote: Identifiable {
    /// The id of the note.
    public nonisolated let id: String

    /// The title as it is shown and typed; empty until the note is read.
    public var title: String {
        get { text.title }
        set { text.title = newValue }
    }

    /// The body as it is shown and typed; empty until the note is read.
    public var body: String {
        get { text.body }
        set { text.body = newValue }
    }

    /// Title and body.
    public var text: StoredNote.Text {
        get {
            begin()
            return shown
        }
        set {
            guard newValue != shown else { return }
            shown = newValue
            begin()
            refresh()
        }
    }

    /// The note as it is on the disk; nil until it is read, and when there is no such note any more.
    public var stored: StoredNote? {
        begin()
        return shownNote
    }

    /// Why what was typed is not on the disk; nil when it is. The text stays, and is stored with the next change.
    public var failure: NotesFailure? {
        begin()
        return shownFailure
    }

    private var shown = StoredNote.Text()
    private var shownNote: StoredNote?
    private var shownFailure: NotesFailure?
    /// The text that the disk had when both were last the same: what a merge is based on.
    @ObservationIgnored private var agreed = StoredNote.Text()
    @ObservationIgnored private let store: NotesStore
    @ObservationIgnored private var following: Task<Void, Never>?
    @ObservationIgnored private var exchanging: Task<Void, Never>?
    @ObservationIgnored private var isStale = false

    /// - Parameter id: that of a note in the list or the trash.
    public init(_ store: NotesStore, id: String) {
        self.store = store
        self.id = id
    }

    /// Begins with a note that was read already, so that its text is there at once.
    public convenience init(_ store: NotesStore, _ note: StoredNote) {
        self.init(store, id: note.id)
        (shown, agreed, shownNote) = (note.text, note.text, note)
    }

    deinit {
        following?.cancel()
    }

    /// Waits until everything that was typed is on the disk.
    public func save() async throws(NotesFailure) {
        refresh()
        while let exchanging { await exchanging.value }
        if let shownFailure { throw shownFailure }
    }

    private func begin() {
        guard following == nil else { return }
        let (id, updates) = (id, store.updates)
        following = Task { [weak self] in
            self?.refresh()
            for await update in updates where update.notes.contains(id) { self?.refresh() }
        }
    }

    /// Stores what is shown, and shows what is stored, once more after what is under way.
    private func refresh() {
        isStale = true
        guard exchanging == nil else { return }
        exchanging = Task {
            while isStale {
                isStale = false
                await exchange()
            }
            exchanging = nil
        }
    }

    private func exchange() async {
        let (base, typed) = (agreed, shown)
        do throws(NotesFailure) {
            let note = try await store.edit(id) { text in text = .merged(base: base, theirs: text, mine: typed) }
            agreed = note.text
            // What was typed meanwhile comes on top, and goes to the disk next.
            let text = StoredNote.Text.merged(base: typed, theirs: note.text, mine: shown)
            if text != note.text { isStale = true }
            if shown != text { shown = text }
            if shownNote != note { shownNote = note }
            if shownFailure != nil { shownFailure = nil }
        } catch {
            if case .noSuchNote = error { shownNote = nil }
            shownFailure = error
        }
    }
}
