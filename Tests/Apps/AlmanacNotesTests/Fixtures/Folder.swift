import AlmanacNotes
import AlmanacTestSupport
import Foundation

/// A folder for the files of a test's stores.
struct Folder {
    let folder: TemporaryFolder

    /// The URL of the running instance's environment. Without an instance, no test sends it a request.
    static let environment =
        (try? Instance.current().environment) ?? URL(string: "https://notes.example.com/production")!

    init() throws { folder = try TemporaryFolder() }

    func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    func file(_ name: String) -> URL { URL(fileURLWithPath: path(name)) }

    func open(_ name: String = "notes.db", _ server: ServerAccess? = nil) throws -> NotesStore {
        var options = NotesOptions()
        options.isDurable = false
        if let server { options.transport = server.transport }
        return try NotesStore(
            file: file(name), environment: Self.environment, account: server?.account ?? .alice,
            tokens: server?.tokens, options: options)
    }
}

extension UserAccount {
    static let alice = UserAccount(issuer: "https://issuer.example.com", subject: "alice")
}
