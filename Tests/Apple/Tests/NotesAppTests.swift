import AlmanacNotes
import AlmanacTestSupport
import Foundation
import SwiftUI
import Testing

@testable import MainActorApp

/// A user's notes, in a window.
@Suite(.timeLimit(.minutes(2))) @MainActor struct NotesAppTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store(_ transport: any ClientTransport) throws -> NotesStore {
        var options = NotesOptions()
        options.transport = transport
        return try NotesStore(
            file: URL(filePath: "\(folder.path)/phone.db"), environment: URL(string: "https://localhost/development")!,
            account: UserAccount(issuer: "development", subject: "apple"), tokens: FixedToken("token"), options: options
        )
    }

    @Test func `notes are written, listed and found without a network`() async throws {
        let offline = ScriptedTransport { _, _ throws(TransportFailure) in throw .unreachable("no network") }
        let store = try store(offline)
        let host = ViewHost(NotesScreen(store))
        host.tap("New")
        await host.wait { $0.shows("Untitled") }
        host.tap("Untitled")
        await host.wait { $0.value(of: "Title") == "Untitled" }
        host.set("Title", to: "Groceries")
        await host.wait { $0.value(of: "Title") == "Groceries" }
        host.set("", to: "milk")
        await host.wait { $0.shows("milk") }
        host.tap("Back")
        await host.wait { $0.shows("Groceries") }
        host.set("Search", to: "mil")
        await host.wait { $0.value(of: "Search") == "mil" && $0.shows("Groceries") }
        host.set("Search", to: "bread")
        await host.wait { !$0.shows("Groceries") }
        host.close()
    }
}
