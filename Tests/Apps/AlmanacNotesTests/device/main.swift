import AlmanacNotes
import AlmanacTestSupport
import Foundation
import Synchronization

// A device of the drill: edits the notes of a store at random and syncs, until it is killed or has done so many things.
// It says what it is going to do before it does it, and "done" once it is on disk. In the end it syncs until everything
// is on the server, and says which notes there are.
//
// Arguments: the file of the store, the address of the environment, the number of its first word, and how many things
// it does; without that it has no end. The environment variable ALMANAC_TEST_TOKEN is its user's access token,
// ALMANAC_TEST_CA_FILE the certificate authority of the server where it is no public one.

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

/// Written at once: what a buffer holds dies with the process.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

let state = Mutex(WordLedger(first: Int(arguments[3])!))

/// Writes, and says which words are new and which are gone.
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

/// Adds a tag to a note that no note has had, removes one, or pins the note.
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
            // The words of other devices too, which it may delete or rewrite.
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
// An edit of a note that is new takes another round.
for _ in 0..<10 where try await !store.sync().isEmpty {}
let unsynced = try await store.unsynced()
if !unsynced.isEmpty { fatalError("\(unsynced)") }
for note in try await store.notes() {
    let written: [String: Any] = [
        "id": note.id, "title": note.title, "body": note.body, "tags": note.tags, "pinned": note.isPinned,
    ]
    say("note \(String(decoding: try JSONSerialization.data(withJSONObject: written), as: UTF8.self))")
}
