internal import AlmanacSQLite

/// Why something that was asked of a store was not done.
public enum NotesFailure: Error, Sendable, Hashable {
    /// There is no such note here.
    case noSuchNote(String)
    /// The text holds what no server takes; the message says what.
    case textRefused(String)
    /// The file holds the notes of somebody else.
    case otherAccount(String)
    /// The file could not be read or written; nothing was changed.
    case file(NotesFileFailure)
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

/// Why a file of notes could not be opened, read or written.
///
/// Its texts name the file and never quote a note.
public enum NotesFileFailure: Error, Hashable, Sendable {
    /// There is no such folder, or it may not be entered or written.
    case cannotOpen(String)
    /// The file is something else than a file of notes.
    case foreign(String)
    /// The file is damaged.
    case corrupt(String)
    /// The file was written by a later version of this library.
    case newer(String)
    /// The file, or the disk that it is on, takes no writing.
    case readOnly(String)
    /// There is no room left on the disk; what was to be written was not.
    case full(String)
    /// Another process kept the file locked for longer than the time-out.
    case busy(String)
    /// Anything else that SQLite reports.
    case failed(String)
}

extension NotesFileFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotOpen(let detail): "the file of notes cannot be opened: \(detail)"
        case .foreign(let detail): "this is no file of notes: \(detail)"
        case .corrupt(let detail): "the file of notes is damaged: \(detail)"
        case .newer(let detail): "the file of notes is of a later version: \(detail)"
        case .readOnly(let detail): "the file of notes cannot be written: \(detail)"
        case .full(let detail): "the disk is full: \(detail)"
        case .busy(let detail): "the file of notes is in use: \(detail)"
        case .failed(let detail): "the file of notes could not be used: \(detail)"
        }
    }
}

// The one place where an error of reading and writing becomes one of the library.
extension NotesFileFailure {
    init(_ error: any Error) {
        switch error {
        case let failure as NotesFileFailure: self = failure
        case let failure as SQLiteFailure: self.init(failure)
        default: self = .failed("\(error)")
        }
    }

    private init(_ failure: SQLiteFailure) {
        switch failure.reason {
        case .cannotOpen: self = .cannotOpen(failure.detail)
        case .notADatabase: self = .foreign(failure.detail)
        case .corrupt: self = .corrupt(failure.detail)
        case .readOnly: self = .readOnly(failure.detail)
        case .full: self = .full(failure.detail)
        case .busy: self = .busy(failure.detail)
        case .other: self = .failed(failure.detail)
        }
    }
}

extension NotesFailure {
    init(_ error: any Error) {
        self = error as? NotesFailure ?? .file(NotesFileFailure(error))
    }
}
