internal import AlmanacSQLite

// The only translation of the errors of SQLite and of files into errors of this library.
extension NotesFileFailure {
    init(_ error: any Error) {
        switch error {
        case let failure as NotesFileFailure: self = failure
        case let failure as SQLiteFailure: self.init(failure)
        case let failure as FileFailure: self.init(failure)
        default: self = .failed("\(error)")
        }
    }

    private init(_ failure: SQLiteFailure) {
        switch failure.reason {
        case .cannotOpen: self = .cannotOpen(failure.detail)
        case .notADatabase: self = .notANotesFile(failure.detail)
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
