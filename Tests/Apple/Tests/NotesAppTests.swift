import AlmanacNotes
import AlmanacTestSupport
import Foundation
import SwiftUI
import Testing

@testable import MainActorApp

@Suite(.timeLimit(.minutes(2))) @MainActor struct NotesAppTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store(
        _ name: String, _ environment: URL, _ token: String = "token",
        of account: UserAccount = UserAccount(issuer: "https://login.example.com", subject: "apple"),
        over transport: any ClientTransport
    ) throws -> NotesStore {
        var options = NotesOptions()
        options.transport = transport
        return try NotesStore(
            file: URL(filePath: "\(folder.path)/\(name).db"), environment: environment,
            account: account, tokens: FixedToken(token), options: options)
    }

    @Test func `notes are written, listed and found without a network`() async throws {
        let offline = ScriptedTransport { _, _ throws(TransportFailure) in throw .unreachable("no network") }
        let store = try store("phone", URL(string: "https://localhost/development")!, over: offline)
        let host = ViewHost(NotesScreen(store))
        host.tap("New")
        try await host.wait { $0.shows("Untitled") }
        host.tap("Untitled")
        try await host.wait { $0.value(of: "Title") == "Untitled" }
        host.set("Title", to: "Groceries")
        try await host.wait { $0.value(of: "Title") == "Groceries" }
        host.set("", to: "milk")
        try await host.wait { $0.shows("milk") }
        host.tap("Back")
        try await host.wait { $0.shows("Groceries") }
        host.set("Search", to: "mil")
        try await host.wait { $0.value(of: "Search") == "mil" && $0.shows("Groceries") }
        host.set("Search", to: "bread")
        try await host.wait { !$0.shows("Groceries") }
        try await host.wait { $0.shows("On this device: the server could not be reached: no network") }
        host.close()
    }

    /// Uses the instance that deploy/test has started.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["ALMANAC_APPLE_TOKEN", default: ""] != ""))
    func `what one device writes is on the other one's screen`() async throws {
        let variables = ProcessInfo.processInfo.environment
        let instance = try #require(variables["ALMANAC_TEST_URL"])
        let environment = try #require(URL(string: "\(instance)/development"))
        let token = try #require(variables["ALMANAC_APPLE_TOKEN"])
        let account = try #require(UserAccount(accessToken: token))
        let stores = try ["phone", "laptop"].map {
            try store($0, environment, token, of: account, over: AlmanacHTTPTransport())
        }
        let (phone, laptop) = (ViewHost(NotesScreen(stores[0])), ViewHost(NotesScreen(stores[1])))
        phone.tap("New")
        try await laptop.wait { $0.shows("Untitled") }
        laptop.tap("Untitled")
        try await laptop.wait { $0.value(of: "Title") == "Untitled" }
        laptop.set("Title", to: "Groceries")
        try await phone.wait { $0.shows("Groceries") }
        phone.close()
        laptop.close()
    }
}
