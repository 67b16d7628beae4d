// Fetches the config, and syncs a note to the server:
//
//     App ENVIRONMENT SUBJECT TOKEN FOLDER CA_FILE

import AlmanacConfig
import AlmanacFlags
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
let (folder, caFile) = (URL(filePath: arguments[4]), URL(filePath: arguments[5]))

let transport = AlmanacHTTPTransport(caFile: caFile)

// The token is an argument, so no sign-in is needed.
let session = SignInSession(
    SignInOptions(issuer: "https://login.example.com", clientID: "app"),
    storage: FileTokenStorage(file: folder.appending(path: "sign-in.tokens")))
let tokens: any TokenProvider = token.isEmpty ? session : FixedToken(token)

let client = ConfigClient(
    ConfigOptions(
        environment: address.url, defaults: ["app.background.color": "#000000"], transport: transport))
try await client.fetchAndActivate()
let settings = Settings(color: client.string("app.background.color", default: ""))

guard let owner = UserAccount(accessToken: token) else { fatalError("the token names no user") }
let account = Account(name: subject)
var options = NotesOptions()
options.transport = transport
let store = try NotesStore(
    file: folder.appending(path: "notes.db"), environment: address.url,
    account: owner, tokens: tokens, options: options)
let created = try await store.create(title: "Groceries", body: "milk")
try await store.sync()
guard let synced = try await store.note(created.id), synced.status == .onServer else {
    fatalError("the note is not on the server")
}
let note = Note(account, title: synced.text.title)

// The flag supplies the only word of the output.
let flags = RemoteFlags(preview: ["said": "synced"])
let event = Event(flags.string("said", default: ""))
print("\(event.name) \(created.id) \(JSONText(note.title)) \(settings.color)")
