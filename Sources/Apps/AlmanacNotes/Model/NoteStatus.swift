/// Where the newest state of a note is.
public enum NoteStatus: Sendable, Hashable {
    /// Something of it has not reached the server yet, as far as is known.
    case onThisDevice
    /// The server has acknowledged everything.
    case onServer
    /// The server refused a change. The text is kept here, and nothing more of this note is sent until it is edited
    /// again, or its user decides: ``NotesStore/keepAsNew(_:)`` or ``NotesStore/discard(_:)``.
    case needsAttention(NoteProblem)
}
