public import Observation

/// An observable note with bindable title and body, for SwiftUI and other observers.
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
/// Typed text is stored at once, and changes from elsewhere are merged into it. The object starts to read when a
/// property is first accessed, and stops when its last reference is released.
@MainActor @Observable public final class ObservedNote: Identifiable {
    /// The id of the note.
    public nonisolated let id: String

    /// The title as shown and typed; empty until the note is read.
    public var title: String {
        get { text.title }
        set { text.title = newValue }
    }

    /// The body as shown and typed; empty until the note is read.
    public var body: String {
        get { text.body }
        set { text.body = newValue }
    }

    /// The text as shown and typed; empty until the note is read.
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

    /// The stored note; nil until it is read, and if the note no longer exists.
    public var stored: StoredNote? {
        begin()
        return shownNote
    }

    /// The failure to store the typed text; nil if it is stored. The text remains and is stored with the next change.
    public var failure: NotesFailure? {
        begin()
        return shownFailure
    }

    private var shown = StoredNote.Text()
    private var shownNote: StoredNote?
    private var shownFailure: NotesFailure?
    /// The last stored text that was shown, the base of the next merge.
    @ObservationIgnored private var agreed = StoredNote.Text()
    @ObservationIgnored private let store: NotesStore
    @ObservationIgnored private var following: Task<Void, Never>?
    @ObservationIgnored private var exchanging: Task<Void, Never>?
    @ObservationIgnored private var isStale = false

    /// - Parameter id: the id of a note in the list or the trash.
    public init(_ store: NotesStore, id: String) {
        self.store = store
        self.id = id
    }

    /// Creates the object from a note that was already read, so that the text is available at once.
    public convenience init(_ store: NotesStore, _ note: StoredNote) {
        self.init(store, id: note.id)
        (shown, agreed, shownNote) = (note.text, note.text, note)
    }

    deinit { following?.cancel() }

    /// Waits until all typed text is stored.
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

    /// Stores the shown text and shows the stored text, after a running exchange if there is one.
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
            // Text typed during the exchange is merged again and stored next.
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
