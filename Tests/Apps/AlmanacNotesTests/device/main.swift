import AlmanacNotes
import Foundation
import Synchronization

// A device of the drill: edits the notes of a store at random and syncs, until it is killed. It says what it is going
// to do before it does it, and "done" once it is on disk.
//
// Arguments: the file of the store, the address of the environment, the number of its first token. The environment
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

for number in UInt32(arguments[3])!... {
    let token = Unicode.Scalar(0xF0000 + number)!
    guard let note = try await store.notes().randomElement(), Int.random(in: 0..<30) > 0 else {
        say("insert \(token.value)")
        try await store.create(body: String(token))
        say("done")
        continue
    }
    try await store.edit(note.id) { text in
        var scalars = Array(text.body.unicodeScalars)
        if Int.random(in: 0..<4) == 0, !scalars.isEmpty {
            let start = Int.random(in: 0..<scalars.count)
            let range = start..<min(scalars.count, start + Int.random(in: 1...3))
            for gone in scalars[range] { say("delete \(gone.value)") }
            scalars.removeSubrange(range)
        } else {
            say("insert \(token.value)")
            scalars.insert(token, at: Int.random(in: 0...scalars.count))
        }
        text.body = String(String.UnicodeScalarView(scalars))
    }
    say("done")
    if Int.random(in: 0..<3) == 0 { try? await store.sync() }
}
