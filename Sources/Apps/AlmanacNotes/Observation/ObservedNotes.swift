public import Observation

/// An observable list of notes for SwiftUI and other observers.
///
/// ```swift
/// struct NotesScreen: View {
///     @State var list: ObservedNotes
///
///     var body: some View {
///         List(list.notes) { Text($0.title) }
///             .searchable(text: $list.query.words)
///     }
/// }
/// ```
///
/// The object starts to read when a property is first accessed, and stops when its last reference is released. Remote
/// changes appear while ``NotesStore/follow()`` runs.
@MainActor @Observable public final class ObservedNotes {
    /// The query for the list. After a change, the old notes are shown until the new ones are read.
    public var query: NotesQuery { didSet { if query != oldValue, following != nil { refresh() } } }

    /// The notes that match the query; empty until they are read for the first time.
    public var notes: [StoredNote.Summary] {
        begin()
        return shown
    }

    /// The sync status of the store.
    public var status: NotesSyncStatus {
        begin()
        return shownStatus
    }

    /// The failure of the last read; nil if it succeeded. After a failure, the previous notes remain.
    public var failure: NotesFailure? {
        begin()
        return shownFailure
    }

    private var shown: [StoredNote.Summary] = []
    private var shownStatus = NotesSyncStatus.notStarted
    private var shownFailure: NotesFailure?
    @ObservationIgnored private let store: NotesStore
    @ObservationIgnored private var following: Task<Void, Never>?
    @ObservationIgnored private var isReading = false
    @ObservationIgnored private var isStale = false

    /// - Parameter query: the query for the list, by default all notes.
    public init(_ store: NotesStore, _ query: NotesQuery = NotesQuery()) {
        self.store = store
        self.query = query
    }

    deinit { following?.cancel() }

    private func begin() {
        guard following == nil else { return }
        let updates = store.updates
        following = Task { [weak self] in
            self?.refresh()
            for await _ in updates { self?.refresh() }
        }
    }

    /// Reads the notes, after a running read if there is one.
    private func refresh() {
        isStale = true
        guard !isReading else { return }
        isReading = true
        Task {
            while isStale {
                isStale = false
                await read()
            }
            isReading = false
        }
    }

    private func read() async {
        let (query, status) = (query, await store.status)
        if shownStatus != status { shownStatus = status }
        do throws(NotesFailure) {
            let notes = try await store.summaries(query)
            // The query has changed, and another read is pending.
            guard query == self.query else { return }
            if shown != notes { shown = notes }
            if shownFailure != nil { shownFailure = nil }
        } catch {
            shownFailure = error
        }
    }
}
