import AlmanacAttachments
import AlmanacCryptography
import AlmanacForms
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacNotesDomain

/// Runs random histories of texts and attachments, and compares what the passes remove with a plain model.
@Suite(.database(.migrated), .blocking) struct CleaningModelTests {
    /// The number of histories, and of steps in each.
    private static let runs = TestDepth.runs(quick: 2, standard: 3, long: 400)
    private static let steps = 60

    /// The seed in a failure's message, set as `ALMANAC_TEST_SEED`, becomes that of the first history.
    @Test func `what a text names is never removed, and what nothing has named for 30 days always is`() throws {
        let cleaning = try CleaningInstance()
        let seed = Randomness().seed
        var outcomes = CleaningHistory.Outcomes()
        for run in 0..<Self.runs {
            let runSeed = seed &+ UInt64(run)
            var history = CleaningHistory(cleaning, user: "user\(run)", Randomness(seed: runSeed))
            do {
                try history.run(Self.steps)
            } catch {
                Issue.record("ALMANAC_TEST_SEED=\(runSeed) ALMANAC_TEST_RUNS=1: \(error)")
                return
            }
            outcomes.add(history.outcomes)
        }
        if TestDepth.current == .long, TestDepth.hasOwnNumbers {
            #expect(outcomes.removed > 0 && outcomes.keptByPast > 0 && outcomes.usedAgain > 0, "\(outcomes)")
        }
    }
}

/// A failed comparison with the model.
private struct Difference: Error, CustomStringConvertible {
    let description: String
}

/// The random changes of one account, and the model of its attachments.
private struct CleaningHistory {
    private let cleaning: CleaningInstance
    private let user: String
    private var random: Randomness
    private var notes: [String] = []
    private var attachments: [String: Stored] = [:]
    private(set) var outcomes = Outcomes()

    /// The model of an attachment that is not removed.
    private struct Stored {
        let hash: BlobHash
        var unusedSince: Int64?
    }

    /// The numbers of outcomes that a run should have.
    struct Outcomes {
        var removed = 0
        /// The attachments that only past texts named during a pass.
        var keptByPast = 0
        /// The attachments that were named again after a pass had found them unused.
        var usedAgain = 0

        mutating func add(_ other: Outcomes) {
            removed += other.removed
            keptByPast += other.keptByPast
            usedAgain += other.usedAgain
        }
    }

    init(_ cleaning: CleaningInstance, user: String, _ random: Randomness) {
        (self.cleaning, self.user, self.random) = (cleaning, user, random)
    }

    /// Runs random steps, and erases the account at the end.
    mutating func run(_ steps: Int) throws {
        for _ in 0..<steps { try step() }
        try pass()
        _ = try cleaning.notes.call("DELETE", "/account", as: user)
        attachments = [:]
        try pass()
    }

    private mutating func step() throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<4: try store()
        case 4..<7: try create()
        case 7..<11: try update()
        case 11: try act("deleteNote")
        case 12: try act("restoreNote")
        case 13: try act("purgeNote")
        case 14: try restorePast()
        case 15: try cleaning.thin(user)
        case 16: try remove()
        default:
            cleaning.now += Int64.random(in: 0...20, using: &random) * 86_400_000
            try pass()
        }
    }

    private mutating func store() throws {
        // Two attachments may have the same bytes.
        let bytes = Array("picture \(Int.random(in: 0..<30, using: &random))".utf8)
        let id = String((0..<26).map { _ in "abcdefghijklmnopqrstuvwxyz234567".randomElement(using: &random)! })
        try cleaning.store(bytes, as: id, of: user)
        attachments[id] = Stored(hash: try #require(BlobHash(bytes: SHA256.digest(bytes))))
    }

    /// Returns a body that names up to three attachments, of which one may not exist.
    private mutating func body() -> String {
        let ids = attachments.keys.sorted() + [String(repeating: "z", count: 26)]
        return (0..<Int.random(in: 0...3, using: &random)).map { _ in
            "![A cat](attachments/\(ids.randomElement(using: &random)!).png)\n"
        }.joined() + "cats \(Int.random(in: 0..<1000, using: &random))"
    }

    private mutating func create() throws {
        notes.append("n\(notes.count)")
        let action: JSONValue = [["createNote", ["id": .string(notes.last!), "body": .string(body())]]]
        try cleaning.notes.act("\(action)", as: user)
    }

    /// Replaces the body of a random note; it may be refused because the note was purged.
    private mutating func update() throws {
        guard let id = notes.randomElement(using: &random) else { return }
        let content: JSONValue = ["body": .string(body())]
        try cleaning.notes.call("PUT", "/notes/\(id)", "\(content)", as: user, ("If-Match", "*")).expecting(200, 404)
    }

    /// Sends an action on a random note; it may be refused, for example because the note was purged.
    private mutating func act(_ action: String) throws {
        guard let id = notes.randomElement(using: &random) else { return }
        try cleaning.notes.act(#"[["\#(action)", {"id": "\#(id)"}]]"#, as: user)
    }

    private mutating func restorePast() throws {
        guard let id = notes.randomElement(using: &random) else { return }
        let revision = Int64.random(in: 1...max(1, try cleaning.revision(of: user)), using: &random)
        try cleaning.notes.act(#"[["restoreNote", {"id": "\#(id)", "revision": \#(revision)}]]"#, as: user)
    }

    private mutating func remove() throws {
        guard let id = attachments.keys.sorted().randomElement(using: &random) else { return }
        try cleaning.notes.call("DELETE", "/attachments/\(id)", as: user).expecting(204)
        attachments[id] = nil
    }

    /// Runs a pass, and compares the attachments, the blobs and the files that are left with the model.
    private mutating func pass() throws {
        let (present, past) = try cleaning.namedIDs(user)
        for (id, stored) in attachments {
            if present.contains(id) || past.contains(id) {
                if stored.unusedSince != nil { outcomes.usedAgain += 1 }
                if !present.contains(id) { outcomes.keptByPast += 1 }
                attachments[id]?.unusedSince = nil
            } else if stored.unusedSince == nil {
                attachments[id]?.unusedSince = cleaning.now
            } else if stored.unusedSince! <= cleaning.now - 30 * 86_400_000 {
                attachments[id] = nil
                outcomes.removed += 1
            }
        }
        try cleaning.pass()
        let expected = attachments.map { "\($0) \($1.unusedSince ?? 0)" }.sorted()
        let found = try cleaning.attachments(of: user)
        guard found == expected else { throw Difference(description: "left are \(found) instead of \(expected)") }
        let hashes = Set(attachments.values.map(\.hash.description)).sorted()
        let (rows, files) = try cleaning.blobs()
        guard rows == hashes, files == hashes else {
            throw Difference(description: "rows \(rows) and files \(files) instead of \(hashes)")
        }
    }
}
