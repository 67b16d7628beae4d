#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A failure of an operation on a store.
public enum NotesFailure: Error, Sendable, Hashable {
    /// The store has no such note.
    case noSuchNote(String)
    /// The text is not valid; contains the reason.
    case textRefused(String)
    /// The note is not in the trash, so it can't be removed permanently.
    case notInTrash(String)
    /// The store has no such attachment.
    case noSuchAttachment(String)
    /// The file cannot be attached; contains the reason.
    case attachmentRefused(String)
    /// The picture is damaged, so that its location and camera data cannot be removed. Only its owner can decide to
    /// store it as it is.
    case pictureDamaged(URL)
    /// The file belongs to another account or environment.
    case otherAccount(file: URL)
    /// The file could not be read or written; nothing was changed.
    case file(NotesFileFailure)
}

extension NotesFailure: CustomStringConvertible {
    /// The message for users, without the text of a note.
    public var description: String {
        switch self {
        case .noSuchNote(let id): "there is no note '\(id)' on this device"
        case .notInTrash(let id):
            "the note '\(id)' is not in the trash; move it to the trash before removing it permanently"
        case .textRefused(let reason): "the text cannot be stored: \(reason)"
        case .noSuchAttachment(let id): "there is no attachment '\(id)' on this device"
        case .attachmentRefused(let reason): "the file cannot be attached: \(reason)"
        case .pictureDamaged(let file):
            "the picture \(file.path) is damaged, so that its location and camera data cannot be removed; "
                + "attach it with its metadata, or another file"
        case .otherAccount(let file):
            "\(file.path) contains the notes of another account; open another file for this account"
        case .file(let failure): "\(failure)"
        }
    }
}

/// A failure of a sync. No data is lost: the next sync sends unsent changes.
public enum NotesSyncFailure: Error, Sendable, Hashable {
    /// The store was opened without tokens and has no server.
    case noServer
    /// The response is missing or incomplete.
    case unreachable(String)
    /// The response is not from a notes server but, for example, from the sign-in page of a network.
    case unexpectedResponse(String)
    /// The access token is missing, expired or rejected, and there is no newer one.
    case signInRequired
    /// The access token belongs to this user, who is not the owner of the notes. The token was not sent.
    case otherAccount(of: UserAccount)
    /// The server rejected the request; `problem` is the problem's type, empty if there is none.
    case refused(status: Int, problem: String)
    /// The server requests this delay before the next request.
    case retryLater(after: Duration)
    /// The server no longer has many of this device's notes: see ``NotesStore/decide(_:)``.
    case decisionNeeded(missing: Int, of: Int)
    /// The file could not be read or written.
    case file(NotesFileFailure)
    /// The task was cancelled.
    case cancelled
}

extension NotesSyncFailure: CustomStringConvertible {
    /// The message for users.
    public var description: String {
        switch self {
        case .noServer: "there is no server"
        case .unreachable(let reason): "the server could not be reached: \(reason)"
        case .unexpectedResponse(let what): "unexpected response: \(what)"
        case .signInRequired: "the server requires a sign-in"
        case .otherAccount(let user):
            "the access token belongs to '\(user.subject)' of \(user.issuer), but the notes belong to another account; "
                + "sign in as their owner, or open another file"
        case .refused(let status, let problem):
            "the server refused: status \(status)\(problem.isEmpty ? "" : ", \(problem)")"
        case .retryLater(let duration):
            "the server is not ready; retry in \(Int64((duration / .seconds(1)).rounded(.up))) s"
        case .decisionNeeded(let missing, let total):
            "\(missing) of \(total) notes are no longer on the server; "
                + "decide whether to keep these notes or move them to the trash"
        case .file(let failure): "\(failure)"
        case .cancelled: "cancelled"
        }
    }
}

/// The state of the sync between a store and the server.
public enum NotesSyncStatus: Sendable, Hashable {
    /// The store has not synced since it was opened.
    case notStarted
    /// A sync is running.
    case syncing
    /// At the end of the last sync, this device and the server had the same notes, and nothing has changed here since.
    case upToDate
    /// The last sync fetched everything, but this device has changes that were made since or that the server rejected.
    case unsynced(UnsyncedNotes)
    /// The last sync failed.
    case failed(NotesSyncFailure)
}

/// A failure to open, read or write a file of notes. The texts name the file and never contain text of a note.
public enum NotesFileFailure: Error, Hashable, Sendable {
    /// The folder is missing, or access is denied.
    case cannotOpen(String)
    /// The file is not a file of notes.
    case notANotesFile(String)
    /// The file is damaged.
    case corrupt(String)
    /// The file was written by a later version of this library.
    case newer(String)
    /// The file or its disk is read-only.
    case readOnly(String)
    /// The disk is full; nothing was written.
    case full(String)
    /// Another process locked the file for longer than the time limit.
    case busy(String)
    /// SQLite reported another failure.
    case failed(String)
}

extension NotesFileFailure: CustomStringConvertible {
    /// The message for users, with the file's name but without the text of a note.
    public var description: String {
        switch self {
        case .cannotOpen(let detail): "the file of notes cannot be opened: \(detail)"
        case .notANotesFile(let detail): "the file is not a file of notes: \(detail)"
        case .corrupt(let detail): "the file of notes is damaged: \(detail)"
        case .newer(let detail): "the file of notes has a newer version: \(detail)"
        case .readOnly(let detail): "the file of notes cannot be written: \(detail)"
        case .full(let detail): "the disk is full: \(detail)"
        case .busy(let detail): "the file of notes is in use: \(detail)"
        case .failed(let detail): "the file of notes could not be used: \(detail)"
        }
    }
}
