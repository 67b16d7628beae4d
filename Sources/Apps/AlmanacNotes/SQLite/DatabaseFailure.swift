/// Why a file of notes could not be opened, read or written.
///
/// Its texts name the file and never quote a note.
public enum DatabaseFailure: Error, Hashable, Sendable {
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

extension DatabaseFailure: CustomStringConvertible {
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
