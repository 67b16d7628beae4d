public import Observation

/// A list of notes that stays up to date by itself, for SwiftUI and whatever else observes.
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
/// It reads nothing before somebody looks at it, and stops with the last reference to it. What comes from the server
/// shows as long as ``NotesStore/follow()`` runs.
@MainActor @Observable
public final class ObservedNotes {
    /// Which notes are shown. Another query shows its notes as soon as they are read, and those before it until then.
    public var query: NotesQuery {
        didSet { if query != oldValue, following != nil { refresh() } }
    }

    /// The notes that the query asks for; empty until they are read for the first time.
    public var notes: [StoredNote.Summary] {
        begin()
        return shown
    }

    /// How far this device is known to be up to date with the server.
    public var status: NotesSyncStatus {
        begin()
        return shownStatus
    }

    /// Why the notes could not be read; nil when they were. Those that were read before stay.
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

    /// - Parameter query: by default all notes of the list in its order.
    public init(_ store: NotesStore, _ query: NotesQuery = NotesQuery()) {
        self.store = store
        self.query = query
    }

    deinit {
        following?.cancel()
    }

    private func begin() {
        guard following == nil else { return }
        let updates = store.updates
        following = Task { [weak self] in
            self?.refresh()
            for await _ in updates { self?.refresh() }
        }
    }

    /// Reads once more, after what is being read.
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
            // Others are being asked for already.
            guard query == self.query else { return }
            if shown != notes { shown = notes }
            if shownFailure != nil { shownFailure = nil }
        } catch {
            shownFailure = error
        }
    }
}
