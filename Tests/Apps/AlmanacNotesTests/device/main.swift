import AlmanacNotes
import AlmanacTestSupport
import Foundation
import Synchronization

// A device of the drill: edits the notes of a store at random and syncs, until it is killed. It says what it is going
// to do before it does it, and "done" once it is on disk.
//
// Arguments: the file of the store, the address of the environment, the number of its first word. The environment
// variable ALMANAC_TEST_TOKEN is its user's access token.

let arguments = CommandLine.arguments
let token = ProcessInfo.processInfo.environment["ALMANAC_TEST_TOKEN"]!
var options = NotesOptions()
options.isDurable = false
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

while true {
    guard let note = try await store.notes().randomElement(), Int.random(in: 0..<30) > 0 else {
        try await store.create(body: write { Writer.text(lines: 3, &$0, &$1) })
        say("done")
        continue
    }
    let choice = Int.random(in: 0..<8)
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
    say("done")
    if Int.random(in: 0..<3) == 0 { _ = try? await store.sync() }
}
