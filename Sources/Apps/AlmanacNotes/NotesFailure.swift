/// Why something that was asked of a store was not done.
public enum NotesFailure: Error, Sendable, Hashable {
    /// There is no such note here.
    case noSuchNote(String)
    /// The text holds what no server takes; the message says what.
    case textRefused(String)
    /// The file holds the notes of somebody else.
    case otherAccount(String)
    /// The file could not be read or written; nothing was changed.
    case file(DatabaseFailure)
}

extension NotesFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noSuchNote(let id): "there is no note '\(id)' here"
        case .textRefused(let reason): "the text cannot be kept: \(reason)"
        case .otherAccount(let path): "\(path) holds the notes of another account; open another file for this one"
        case .file(let failure): "\(failure)"
        }
    }
}
