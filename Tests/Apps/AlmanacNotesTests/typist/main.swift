import AlmanacNotes
import Foundation

// Types numbers into the note of a store until it is killed, and says each one once its edit has returned. With a third
// argument it says the bodies of all notes, and types nothing.

// The second argument is the address of the environment, which is never asked for anything.
let store = try NotesStore(
    file: URL(fileURLWithPath: CommandLine.arguments[1]), environment: URL(string: CommandLine.arguments[2])!,
    account: UserAccount(issuer: "https://issuer.example.com", subject: "alice"))
if CommandLine.arguments.count > 3 {
    print(store.isReadOnly ? "to be read only" : "to be written")
    for note in try await store.notes() { print(note.body) }
    exit(0)
}
let first = try await store.notes().first
let note = if let first { first } else { try await store.create() }
let last = note.body.split(separator: "\n").last.flatMap { Int($0) } ?? 0
for number in (last + 1)... {
    try await store.edit(note.id) { $0.body += "\(number)\n" }
    let line = "\(number)\n"
    // Written at once: what a buffer holds dies with the process.
    _ = unsafe write(STDOUT_FILENO, line, line.utf8.count)
}
