import AlmanacNotes
import AlmanacTestSupport
import Foundation
import Synchronization

// A device of the fault test. It edits a store's notes at random and syncs, until it is killed or reaches its number
// of steps. It prints each action beforehand, and "done" once the action is on disk. Finally it syncs all changes and
// prints the notes.
//
// Arguments: the store's file, the environment's URL, the number of the first word, the number of steps (unlimited by
// default), and a file to attach. The environment variable ALMANAC_TEST_TOKEN is the user's access token.
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
    account: UserAccount(accessToken: token)!, tokens: FixedToken(token), options: options)

/// Prints a line without a buffer, which would be lost if the process is killed.
func printLine(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

// With a fifth argument, the program attaches the file of this path (`-` for none), prints how many bytes are sent, and
// ends when the server has all files.
if arguments.count > 5 {
    let updates = store.updates
    if arguments[5] != "-" { try await store.attach(URL(fileURLWithPath: arguments[5])) }
    Task {
        for await _ in updates {
            for attachment in try await store.attachments() {
                if case .sending(let count) = attachment.status { printLine("sent \(count)") }
            }
        }
    }
    try await store.sync()
    printLine("done")
    exit(0)
}

let state = Mutex(WordLog(first: Int(arguments[3])!))

/// Changes a text, and prints the new and the deleted words.
func write(_ change: (inout WordLog, inout SystemRandomNumberGenerator) -> String) -> String {
    state.withLock { log in
        var random = SystemRandomNumberGenerator()
        let before = log
        let text = change(&log, &random)
        for word in log.removed.subtracting(before.removed) { printLine("delete \(word)") }
        for word in log.written[before.written.count...] { printLine("insert \(word)") }
        return text
    }
}

var tags = 0

/// Adds a tag that no note has had, removes a tag, or pins the note.
@MainActor
func file(_ note: StoredNote) async throws {
    if Int.random(in: 0..<3) == 0 {
        printLine("pin \(note.id) \(!note.isPinned)")
        try await store.pin(note.id, !note.isPinned)
    } else if Bool.random(), let tag = note.tags.randomElement() {
        printLine("untag \(note.id) \(tag)")
        try await store.tag(note.id, remove: [tag])
    } else {
        tags += 1
        printLine("tag \(note.id) \(arguments[3]).\(tags)")
        try await store.tag(note.id, add: ["\(arguments[3]).\(tags)"])
    }
}

@MainActor
func performRandomAction() async throws {
    guard let note = try await store.notes().randomElement(), Int.random(in: 0..<30) > 0 else {
        try await store.create(body: write { RandomWriter.text(lines: 3, &$0, &$1) })
        return
    }
    let choice = Int.random(in: 0..<10)
    if choice > 7 { return try await file(note) }
    try await store.edit(note.id) { text in
        text.body = write { log, random in
            // The text may contain other devices' words, which this device may delete or rewrite.
            for word in WordLog.words(of: text.body) { log.learn(word) }
            return switch choice {
            case 0: RandomWriter.delete(from: text.body, &log, &random)
            case 1: RandomWriter.rewrite(in: text.body, &log, &random)
            default: RandomWriter.insert(into: text.body, &log, &random)
            }
        }
    }
}

var remainingSteps = arguments.count > 4 ? Int(arguments[4])! : Int.max
while remainingSteps > 0 {
    try await performRandomAction()
    printLine("done")
    remainingSteps -= 1
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
    printLine("note \(String(decoding: try JSONSerialization.data(withJSONObject: written), as: UTF8.self))")
}
