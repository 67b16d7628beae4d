#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Why a store has not done what it was asked to do.
public enum NotesFailure: Error, Sendable, Hashable {
    /// There is no such note here.
    case noSuchNote(String)
    /// The text holds what no server takes; the message says what.
    case textRefused(String)
    /// Only notes in the trash can be removed for good.
    case notInTrash(String)
    /// The file holds the notes of another account or environment.
    case otherAccount(file: URL)
    /// The file could not be read or written; nothing was changed.
    case file(NotesFileFailure)
}

extension NotesFailure: CustomStringConvertible {
    /// What happened, for people; names no text of a note.
    public var description: String {
        switch self {
        case .noSuchNote(let id): "there is no note '\(id)' here"
        case .notInTrash(let id): "the note '\(id)' is not in the trash; only from there it can be removed for good"
        case .textRefused(let reason): "the text cannot be kept: \(reason)"
        case .otherAccount(let file): "\(file.path) holds the notes of another account; open another file for this one"
        case .file(let failure): "\(failure)"
        }
    }
}

/// Why a device is not up to date with the server. Nothing is lost by it: what was not sent is sent next time.
public enum NotesSyncFailure: Error, Sendable, Hashable {
    /// The store was opened without tokens, so it asks no server.
    case noServer
    /// No response came, or only part of one.
    case unreachable(String)
    /// The response is not that of a server of this kind but, for example, the sign-in page of a network.
    case unexpectedResponse(String)
    /// The access token is missing, has expired or was refused, and there is no newer one.
    case signInRequired
    /// The server refused, for now or for good; `problem` is the problem's type, empty where there is none.
    case refused(status: Int, problem: String)
    /// The server asked to wait so long before the next request.
    case retryLater(after: Duration)
    /// The server does not have many notes any more that are here: see ``NotesStore/decide(_:)``.
    case decisionNeeded(missing: Int, of: Int)
    /// The file could not be read or written.
    case file(NotesFileFailure)
    /// The task was cancelled.
    case cancelled
}

extension NotesSyncFailure: CustomStringConvertible {
    /// Why, for people.
    public var description: String {
        switch self {
        case .noServer: "there is no server"
        case .unreachable(let reason): "the server could not be reached: \(reason)"
        case .unexpectedResponse(let what): "something else than the server has answered: \(what)"
        case .signInRequired: "the server wants its user to sign in"
        case .refused(let status, let problem):
            "the server refused: status \(status)\(problem.isEmpty ? "" : ", \(problem)")"
        case .retryLater(let duration):
            "the server asks to be left alone for \(Int64((duration / .seconds(1)).rounded(.up))) s"
        case .decisionNeeded(let missing, let total):
            "the server does not have \(missing) of \(total) notes any more, "
                + "and it is to be said what becomes of them here"
        case .file(let failure): "\(failure)"
        case .cancelled: "cancelled"
        }
    }
}

/// How far a device is known to be up to date with the server.
public enum NotesSyncStatus: Sendable, Hashable {
    /// Nothing was asked of the server since the store was opened.
    case notStarted
    /// A sync runs.
    case syncing
    /// Everything here is on the server, and everything there was here at the end of the last sync.
    case upToDate
    /// Everything on the server was here at the end of the last sync, and something here is not there: it was done
    /// since, or the server has refused it.
    case unsynced(UnsyncedNotes)
    /// The last attempt failed.
    case failed(NotesSyncFailure)
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
    /// What happened, for people; names the file and quotes no note.
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
