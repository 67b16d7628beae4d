import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestRandomness
import AlmanacTestSupport
import Glibc
import Testing

extension Live {
    /// Tests that kill one process after another, at random moments, while clients write to the instance.
    ///
    /// The test prints the numbers of kills and acknowledged writes.
    @Suite struct KillStormTests {
        /// The number of rounds. Each round ends with a check of its notes and histories, while they are short.
        private static let rounds = TestDepth.runs(quick: 1, standard: 2, long: 30)
        private static let secondsOfRound = 10
        private static let services = ["worker", "events", "nginx", "postgres"]

        private struct Tally {
            var kills: [String: Int] = [:]
            var acknowledged = 0
            var lost = 0
            var doubled = 0
            var faults: [String] = []
        }

        @Test func `nothing that was acknowledged is lost or doubled in a storm of kills`() throws {
            var randomness = Randomness()
            let note = randomness.note
            var tally = Tally()
            for round in 0..<Self.rounds {
                try run("\(randomness.seed % 1_000_000)-\(round)-", &randomness, &tally)
            }
            let kills = Self.services.map { "\($0) \(tally.kills[$0] ?? 0)" }.joined(separator: ", ")
            print(
                "kill storm of \(Self.rounds * Self.secondsOfRound) s: kill -9 of \(kills);",
                "\(tally.acknowledged) acknowledged,",
                "\(tally.lost) lost, \(tally.doubled) doubled; \(note)")
            #expect(tally.lost == 0, "\(note)")
            #expect(tally.doubled == 0, "\(note)")
            #expect(tally.faults == [], "\(note)")
            #expect(tally.acknowledged > 0)
        }

        private func run(_ name: String, _ randomness: inout Randomness, _ tally: inout Tally) throws {
            let development = try LiveEnvironment("development")
            try development.reset()
            let user = try NotesUser()
            let edits = try AcknowledgedEdits(NotesUser())
            let names = (0..<4).map { "\(name)\($0)" }
            let writes = try names.map { name in
                try AcknowledgedWrites(
                    "development", name: name, endures: true, config: { development.client() },
                    notes: { user.client().http })
            }
            let deadline = ContinuousClock.now + .seconds(Self.secondsOfRound)
            while ContinuousClock.now < deadline {
                usleep(.random(in: 0..<400_000, using: &randomness))
                let service = Self.services.randomElement(using: &randomness)!
                try user.instance.killProcess(of: service)
                tally.kills[service, default: 0] += 1
            }
            // Every client must get another response.
            try #require(edits.goOn())
            for one in writes { try #require(one.goesOn()) }

            let outcomes = writes.map { $0.stop() }
            tally.faults += outcomes.flatMap(\.faults)
            for (name, outcome) in zip(names, outcomes) {
                try count(development, name, outcome.count, in: &tally)
            }
            try count(user, zip(names, outcomes).map { ($0, $1.count) }, in: &tally)
            let words = try edits.stop()
            tally.acknowledged += words.acknowledged
            tally.lost += words.lost
            tally.doubled += words.doubled
            tally.faults += words.faults
        }

        /// Expects each number once in the history of a writer's key. A repeated value makes no release.
        private func count(
            _ development: LiveEnvironment, _ name: String, _ acknowledged: Int, in tally: inout Tally
        ) throws {
            let client = development.client()
            var numbers: [Int64] = []
            var before = ""
            while true {
                let path = development.path("config/count\(name)/history?limit=1000\(before)")
                let page = try #require(try client.send("GET", path).json().arrayValue).compactMap(\.objectValue)
                numbers += page.compactMap { $0["value"]?.numberValue?.int64 }
                guard page.count == 1000, let revision = page.last?.number("revision") else { break }
                before = "&before=\(revision)"
            }
            tally.acknowledged += acknowledged
            tally.lost += Set(0..<Int64(acknowledged)).subtracting(numbers).count
            tally.doubled += numbers.count - Set(numbers).count
        }

        /// Expects each note of a user once, with one revision per note.
        private func count(_ user: NotesUser, _ writers: [(name: String, count: Int)], in tally: inout Tally) throws {
            let client = user.client()
            let manifest = try #require(try client.send("GET", "notes?form=manifest")["manifest"]?.arrayValue)
            let ids = manifest.compactMap { $0.objectValue?.text("id") }
            tally.acknowledged += writers.reduce(0) { $0 + $1.count }
            for writer in writers {
                tally.lost += Set((0..<writer.count).map { "\(writer.name)n\($0)" }).subtracting(ids).count
            }
            tally.doubled += ids.count - Set(ids).count + Int(try client.revision()) - ids.count
        }
    }
}
