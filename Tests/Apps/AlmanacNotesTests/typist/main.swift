import AlmanacNotes
import Glibc

// Types numbers into the note of a store until it is killed, and says each one once its edit has returned.

let store = try NotesStore(file: CommandLine.arguments[1], account: "alice")
let first = try await store.notes().first
let note = if let first { first } else { try await store.create() }
let last = note.body.split(separator: "\n").last.flatMap { Int($0) } ?? 0
for number in (last + 1)... {
    try await store.edit(note.id) { $0.body += "\(number)\n" }
    let line = "\(number)\n"
    // Written at once: what a buffer holds dies with the process.
    _ = unsafe write(STDOUT_FILENO, line, line.utf8.count)
}
