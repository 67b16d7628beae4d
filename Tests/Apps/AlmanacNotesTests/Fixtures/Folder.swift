import AlmanacNotes
import AlmanacTestSupport
import Foundation

/// A folder with the files of a test's stores.
struct Folder {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    func open(_ name: String = "notes.db", _ server: NotesServer? = nil) throws -> NotesStore {
        try NotesStore(
            file: path(name), account: "alice", server: server, surroundings: Surroundings(isDurable: false))
    }
}
