public import TextMerge

extension NotesStore {
    /// Begins to edit a note; the editor begins with the text of ``note(_:)`` as it is now.
    public func editor(of id: String) throws(NotesFailure) -> (editor: Editor, text: StoredNote.Text) {
        guard let note = try note(id) else { throw .noSuchNote(id) }
        return (Editor(note, self), note.text)
    }

    /// A note in an editor, with its merges as deltas, so that caret and selection move with the text.
    ///
    /// The editor keeps what it shows; after every change of its own, and whenever ``NotesStore/updates`` names the
    /// note, it hands that over and gets what to change in it:
    ///
    /// ```swift
    /// let change = try await editor.exchange(StoredNote.Text(title: title, body: body))
    /// caret = change.body.map(position: caret)
    /// body = try change.body.apply(to: body)
    /// ```
    ///
    /// Text typed between the two lines makes the delta unfit for the newer text, and `apply(to:)` refuses; keep what
    /// ``Change/text(on:)`` gives then.
    public actor Editor {
        /// The note that is edited.
        public nonisolated let noteID: String
        private let store: NotesStore
        /// The text that the editor and the store last agreed on.
        private var agreed: StoredNote.Text

        init(_ note: StoredNote, _ store: NotesStore) {
            noteID = note.id
            agreed = note.text
            self.store = store
        }

        /// The changes that an editor has to make in the text that it handed over.
        public struct Change: Sendable {
            /// What to change in the title.
            public let title: Delta
            /// What to change in the body.
            public let body: Delta
            /// The text after the change.
            public let text: StoredNote.Text
            private let shown: StoredNote.Text

            init(from shown: StoredNote.Text, to text: StoredNote.Text) {
                title = Delta.between(shown.title, text.title)
                body = Delta.between(shown.body, text.body)
                self.text = text
                self.shown = shown
            }

            /// Whether there is nothing to change.
            public var isEmpty: Bool { title.isIdentity && body.isIdentity }

            /// The change put together with what was typed after the text was handed over.
            public func text(on newer: StoredNote.Text) -> StoredNote.Text {
                .merged(base: shown, theirs: text, mine: newer)
            }
        }

        /// Stores what the editor shows, merged with what came in meanwhile.
        public func exchange(_ shown: StoredNote.Text) async throws(NotesFailure) -> Change {
            let base = agreed
            let note = try await store.edit(noteID) { text in
                text = .merged(base: base, theirs: text, mine: shown)
            }
            agreed = note.text
            return Change(from: shown, to: note.text)
        }
    }
}
