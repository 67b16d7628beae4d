import AlmanacNotes
import AlmanacTestSupport
import Foundation
import Synchronization

// A device of the fault test. It edits a store's notes at random and syncs, until it is killed or reaches its number
// of steps. It prints each action beforehand, and "done" once the action is on disk. Finally it syncs all changes and
// prints the notes.
//
// Arguments: the store's file, the environment's URL, the number of the first word, and the number of steps
// (unlimited by default). The environment variable ALMANAC_TEST_TOKEN is the user's access token.
// ALMANAC_TEST_CA_FILE is the server's certificate authority, unless a public one is used.

let arguments = CommandLine.arguments
let token = ProcessInfo.processInfo.environment["ALMANAC_TEST_TOKEN"]!
var options = NotesOptions()
options.isDurable = false
if let file = ProcessInfo.processInfo.environment["ALMANAC_TEST_CA_FILE"] {
    options.transport = AlmanacHTTPTransport(caFile: URL(fileURLWithPath: file))
}
let store = try NotesStore(
    file: URL(fileURLWithPath: arguments[1]), environment: URL(string: arguments[2])!,
    account: UserAccount(issuer: "drill", subject: "drill"), tokens: FixedToken(token), options: options)

/// Prints a line without a buffer, which would be lost if the process is killed.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

let state = Mutex(WordLedger(first: Int(arguments[3])!))

/// Changes a text, and prints the new and the deleted words.
func write(_ change: (inout WordLedger, inout SystemRandomNumberGenerator) -> String) -> String {
    state.withLock { ledger in
        var random = SystemRandomNumberGenerator()
        let before = ledger
        let text = change(&ledger, &random)
        for word in ledger.removed.subtracting(before.removed) { say("delete \(word)") }
        for word in ledger.written[before.written.count...] { say("insert \(word)") }
        return text
    }
}

var tags = 0

/// Adds a tag that no note has had, removes a tag, or pins the note.
@MainActor
func file(_ note: StoredNote) async throws {
    if Int.random(in: 0..<3) == 0 {
        say("pin \(note.id) \(!note.isPinned)")
        try await store.pin(note.id, !note.isPinned)
    } else if Bool.random(), let tag = note.tags.randomElement() {
        say("untag \(note.id) \(tag)")
        try await store.tag(note.id, remove: [tag])
    } else {
        tags += 1
        say("tag \(note.id) \(arguments[3]).\(tags)")
        try await store.tag(note.id, add: ["\(arguments[3]).\(tags)"])
    }
}

@MainActor
func doSomething() async throws {
    guard let note = try await store.notes().randomElement(), Int.random(in: 0..<30) > 0 else {
        try await store.create(body: write { Writer.text(lines: 3, &$0, &$1) })
        return
    }
    let choice = Int.random(in: 0..<10)
    if choice > 7 { return try await file(note) }
    try await store.edit(note.id) { text in
        text.body = write { ledger, random in
            // The text may contain other devices' words, which this device may delete or rewrite.
            for word in WordLedger.words(of: text.body) { ledger.learn(word) }
            return switch choice {
            case 0: Writer.delete(from: text.body, &ledger, &random)
            case 1: Writer.rewrite(in: text.body, &ledger, &random)
            default: Writer.insert(into: text.body, &ledger, &random)
            }
        }
    }
}

var left = arguments.count > 4 ? Int(arguments[4])! : Int.max
while left > 0 {
    try await doSomething()
    say("done")
    left -= 1
    if Int.random(in: 0..<3) == 0 { _ = try? await store.sync() }
}
// An edit of a new note needs a second sync.
for _ in 0..<10 where try await !store.sync().isEmpty {}
let unsynced = try await store.unsynced()
if !unsynced.isEmpty { fatalError("\(unsynced)") }
for note in try await store.notes() {
    let written: [String: Any] = [
        "id": note.id, "title": note.title, "body": note.body, "tags": note.tags, "pinned": note.isPinned,
    ]
    say("note \(String(decoding: try JSONSerialization.data(withJSONObject: written), as: UTF8.self))")
}
