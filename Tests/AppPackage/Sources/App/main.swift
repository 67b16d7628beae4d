// Fetches the config, and brings a note to the server:
//
//     App ENVIRONMENT SUBJECT TOKEN FOLDER CA_FILE

import AlmanacConfig
import AlmanacNotes
import AlmanacSignIn
import Config
import Foundation
import HTTP
import JSON
import Metrics
import Notes

let arguments = CommandLine.arguments
guard arguments.count == 6, let address = Address(arguments[1]) else {
    fatalError("App ENVIRONMENT SUBJECT TOKEN FOLDER CA_FILE")
}
let (subject, token) = (arguments[2], arguments[3])
let folder = URL(fileURLWithPath: arguments[4], isDirectory: true)
let transport = AlmanacHTTPTransport(caFile: URL(fileURLWithPath: arguments[5]))

// Nobody has signed in at a provider: the token is given.
let session = SignInSession(
    SignInOptions(issuer: "https://login.example.com", clientID: "app"),
    storage: FileTokenStorage(file: folder.appendingPathComponent("sign-in.tokens")))
let status = try await session.status

let client = ConfigClient(
    ConfigOptions(
        environment: address.url, defaults: ["app.background.color": "#000000"], transport: transport))
try await client.fetchAndActivate()
let settings = Settings(color: client.string("app.background.color", default: ""))

let account = Account(name: subject)
var options = NotesOptions()
options.transport = transport
let store = try NotesStore(
    file: folder.appendingPathComponent("notes.db"), environment: address.url,
    account: UserAccount(issuer: "https://login.example.com", subject: account.name), tokens: FixedToken(token),
    options: options)
let created = try await store.create(title: "Groceries", body: "milk")
try await store.sync()
guard let synced = try await store.note(created.id), synced.status == .onServer else {
    fatalError("the note is not on the server")
}
let note = Note(account, title: synced.text.title)

let event = Event("synced")
print("\(event.name) \(created.id) \(JSONText(note.title)) \(settings.color) \(status)")
