import AlmanacNotes
import Foundation

// A program that appends numbers to a store's note until it is killed, and prints each number once its edit has
// returned. With a third argument, it only prints the bodies of all notes.

// The second argument is the environment's URL. The program sends it no request.
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
    // Write without a buffer, which would be lost if the process is killed.
    _ = unsafe write(STDOUT_FILENO, line, line.utf8.count)
}
