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
let (subject, token, folder, caFile) = (arguments[2], arguments[3], arguments[4], arguments[5])

// Nobody has signed in at a provider: the token is given.
let session = SignInSession(
    SignInOptions(issuer: "https://login.example.com", clientID: "app"),
    storage: FileTokenStorage(path: folder + "/sign-in.tokens"))
let state = try await session.state

var options = ConfigOptions(environment: address.url, defaults: ["app.background.color": "#000000"])
options.transport = ConfigHTTPTransport(caFile: caFile)
let client = ConfigClient(options)
try await client.fetchAndActivate()
let settings = Settings(color: client.string("app.background.color", default: ""))

let account = Account(name: subject)
let server = NotesServer(NotesHTTPTransport(environment: address.url, caFile: caFile)) { _ in token }
let store = try NotesStore(
    file: folder + "/notes.db", account: "\(address.url.absoluteString) \(account.name)", server: server)
let created = try await store.create(title: "Groceries", body: "milk")
try await store.sync()
guard let synced = try await store.note(created.id), synced.status == .onServer else {
    fatalError("the note is not on the server")
}
let note = Note(account, title: synced.text.title)

let event = Event("synced")
print("\(event.name) \(created.id) \(JSONText(note.title)) \(settings.color) \(state)")
