// Settings, a colour that changes on the server, and a user's notes, in a terminal; two terminals are two devices:
//
//     AlmanacTerminalApp https://localhost:8443/development alice.token phone
//
// ALMANAC_CA_FILE names a file with the only trusted certificate authorities; the default is the system's.
import AlmanacConfig
import AlmanacNotes
import AlmanacTerminalUI
import Foundation

let arguments = CommandLine.arguments
guard arguments.count > 3, let environment = URL(string: arguments[1]), environment.scheme != nil else {
    print("usage: AlmanacTerminalApp ENVIRONMENT TOKEN-FILE FOLDER")
    exit(2)
}
let folder = URL(fileURLWithPath: arguments[3])
let caFile = ProcessInfo.processInfo.environment["ALMANAC_CA_FILE"].map { URL(fileURLWithPath: $0) }
let transport = AlmanacHTTPTransport(caFile: caFile)

do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let token = try String(contentsOfFile: arguments[2], encoding: .utf8).filter { !$0.isWhitespace }
    guard let account = UserAccount(accessToken: token) else {
        print("the token names no user; expected a user's token, as of 'almanac token user'")
        exit(2)
    }

    var configOptions = ConfigOptions(environment: environment, transport: transport)
    configOptions.cache = folder.appending(path: "cache")
    // A log would overwrite the screen.
    configOptions.report = { _ in }
    let client = ConfigClient(configOptions)
    let settings = try appSettings()
    await settings.update(from: [LaunchArgumentsSource()])

    var notesOptions = NotesOptions()
    notesOptions.transport = transport
    let store = try NotesStore(
        file: folder.appending(path: "notes.db"), environment: environment, account: account,
        tokens: FixedToken(token), options: notesOptions)

    let screen = try Screen()
    defer { screen.leave() }
    let work = [
        Task { await client.follow() }, Task { await settings.follow(client) }, Task { await store.follow() },
        Task { for await _ in settings.updates { screen.wake() } },
        Task { for await _ in client.updates { screen.wake() } },
        Task { for await _ in store.updates { screen.wake() } },
    ]
    defer { for task in work { task.cancel() } }

    var (page, notes) = (SettingsPage(settings: settings, client: client), NotesPage(store: store))
    loop: for await event in screen.events {
        switch event {
        case .key(.control("q")), .key(.control("c")), .end: break loop
        case .key(let key): if !page.press(key) { try await notes.press(key) }
        case .resized, .woken: break
        }
        screen.draw(page.lines(screen.size) + (try await notes.lines(screen.size)))
    }
} catch {
    print("\(error)")
    exit(1)
}
