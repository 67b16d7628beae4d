public import TextMerge

extension NotesStore {
    /// Creates an editor of a note. The editor starts with the current text of ``note(_:)``.
    public func editor(of id: String) throws(NotesFailure) -> (editor: Editor, text: StoredNote.Text) {
        guard let note = try note(id) else { throw .noSuchNote(id) }
        return (Editor(note, self), note.text)
    }

    /// An editor of a note that returns merges as deltas, so that caret and selection move with the text.
    ///
    /// The app calls ``exchange(_:)`` after each change of its text, and when ``NotesStore/updates`` names the note:
    ///
    /// ```swift
    /// let change = try await editor.exchange(StoredNote.Text(title: title, body: body))
    /// caret = change.body.map(position: caret)
    /// body = try change.body.apply(to: body)
    /// ```
    ///
    /// If the user types between the first and the last line, the delta does not fit the newer text and `apply(to:)`
    /// throws. Then use ``Change/text(on:)``.
    public actor Editor {
        /// The id of the edited note.
        public nonisolated let noteID: String
        private let store: NotesStore
        /// The base of the next merge: the last text that the text view and the store had in common.
        private var agreed: StoredNote.Text

        init(_ note: StoredNote, _ store: NotesStore) {
            noteID = note.id
            agreed = note.text
            self.store = store
        }

        /// The changes to apply to the exchanged text.
        public struct Change: Sendable {
            /// The change of the title.
            public let title: Delta
            /// The change of the body.
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

            /// True if title and body do not change.
            public var isEmpty: Bool { title.isIdentity && body.isIdentity }

            /// Returns the merge of this change with text that was typed after the exchange.
            public func text(on newer: StoredNote.Text) -> StoredNote.Text {
                .merged(base: shown, theirs: text, mine: newer)
            }
        }

        /// Stores the text view's text, merged with the changes since the last exchange.
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
