import AlmanacNotes
import AlmanacTerminalUI
// A note in a terminal, for two terminals to edit at the same time, with or without a network:
//
//     AlmanacNotesEditor https://localhost:8443/development alice.token phone.db
//
// ALMANAC_CA_FILE names a file with the only trusted certificate authorities; the default is the system's.
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 4, let environment = URL(string: arguments[1]), environment.scheme != nil else {
    print("usage: AlmanacNotesEditor ENVIRONMENT TOKEN-FILE STORE")
    exit(2)
}
let (tokens, file) = (TokenFile(path: arguments[2]), arguments[3])
let caFile = ProcessInfo.processInfo.environment["ALMANAC_CA_FILE"].map { URL(fileURLWithPath: $0) }

/// A provider of the token in a file. It reads the file for each request, so a new token takes effect at once.
struct TokenFile: TokenProvider {
    let path: String

    func accessToken(replacing refused: String?) async throws -> String {
        try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

do {
    var options = NotesOptions()
    options.transport = AlmanacHTTPTransport(caFile: caFile)
    guard let account = UserAccount(accessToken: try await tokens.accessToken(replacing: nil)) else {
        print("the token names no user; expected a user's token, as of 'almanac token user'")
        exit(2)
    }
    let store = try NotesStore(
        file: URL(fileURLWithPath: file), environment: environment, account: account, tokens: tokens, options: options)
    _ = try? await store.sync()
    let first = try await store.notes().first
    let note = if let first { first } else { try await store.create(title: "A note in two terminals") }
    let (editor, text) = try await store.editor(of: note.id)
    var page = EditorPage(text: text)

    let screen = try Screen()
    defer { screen.leave() }
    var following = Task { await store.follow() }
    let watching = Task { for await _ in store.updates { screen.wake() } }
    defer { for task in [following, watching] { task.cancel() } }

    screen.wake()
    loop: for await event in screen.events {
        switch event {
        case .key(.control("q")), .key(.control("c")), .end: break loop
        case .key(.control("r")):
            // Sync at once, as an app does when it comes to the foreground.
            following.cancel()
            following = Task { await store.follow() }
        case .key(let key): page.press(key)
        case .resized, .woken: break
        }
        // This loop handles all events, so no key press comes between the query and its result.
        page.take(try await editor.exchange(page.text))
        let status = try await store.note(note.id)?.status ?? .onThisDevice
        let (lines, caret) = page.lines(screen.size, status: status, sync: await store.status)
        screen.draw(lines, caret: caret)
    }
} catch {
    print("\(error)")
    exit(1)
}
