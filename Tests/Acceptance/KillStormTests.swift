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
        private static let roundSeconds = 10
        private static let services = ["worker", "events", "nginx", "postgres"]

        private struct Results {
            var kills: [String: Int] = [:]
            var acknowledged = 0
            var lost = 0
            var duplicates = 0
            var faults: [String] = []
        }

        @Test func `nothing that was acknowledged is lost or doubled in a storm of kills`() throws {
            var randomness = Randomness()
            let note = randomness.note
            var results = Results()
            for round in 0..<Self.rounds {
                try run("\(randomness.seed % 1_000_000)-\(round)-", &randomness, &results)
            }
            let kills = Self.services.map { "\($0) \(results.kills[$0] ?? 0)" }.joined(separator: ", ")
            print(
                "kill storm of \(Self.rounds * Self.roundSeconds) s: kill -9 of \(kills);",
                "\(results.acknowledged) acknowledged,",
                "\(results.lost) lost, \(results.duplicates) duplicates; \(note)")
            #expect(results.lost == 0, "\(note)")
            #expect(results.duplicates == 0, "\(note)")
            #expect(results.faults == [], "\(note)")
            #expect(results.acknowledged > 0)
        }

        private func run(_ name: String, _ randomness: inout Randomness, _ results: inout Results) throws {
            let development = try LiveEnvironment("development")
            try development.reset()
            let user = try NotesUser()
            let edits = try AcknowledgedEdits(NotesUser())
            let names = (0..<4).map { "\(name)\($0)" }
            let writes = try names.map { name in
                try AcknowledgedWrites(
                    "development", name: name, countsProxyErrorsAsRefusals: true, config: { development.client() },
                    notes: { user.client().http })
            }
            let deadline = ContinuousClock.now + .seconds(Self.roundSeconds)
            while ContinuousClock.now < deadline {
                usleep(.random(in: 0..<400_000, using: &randomness))
                let service = Self.services.randomElement(using: &randomness)!
                try user.instance.killProcess(of: service)
                results.kills[service, default: 0] += 1
            }
            // Every client must get another response.
            try #require(edits.awaitProgress())
            for one in writes { try #require(one.awaitProgress()) }

            let outcomes = writes.map { $0.stop() }
            results.faults += outcomes.flatMap(\.faults)
            for (name, outcome) in zip(names, outcomes) {
                try count(development, name, outcome.count, in: &results)
            }
            try count(user, zip(names, outcomes).map { ($0, $1.count) }, in: &results)
            let words = try edits.stop()
            results.acknowledged += words.acknowledged
            results.lost += words.lost
            results.duplicates += words.duplicates
            results.faults += words.faults
        }

        /// Expects each number once in the history of a writer's key. A repeated value makes no release.
        private func count(
            _ development: LiveEnvironment, _ name: String, _ acknowledged: Int, in results: inout Results
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
            results.acknowledged += acknowledged
            results.lost += Set(0..<Int64(acknowledged)).subtracting(numbers).count
            results.duplicates += numbers.count - Set(numbers).count
        }

        /// Expects each note of a user once, with one revision per note.
        private func count(_ user: NotesUser, _ writers: [(name: String, count: Int)], in results: inout Results) throws
        {
            let client = user.client()
            let manifest = try #require(try client.send("GET", "notes?form=manifest")["manifest"]?.arrayValue)
            let ids = manifest.compactMap { $0.objectValue?.text("id") }
            results.acknowledged += writers.reduce(0) { $0 + $1.count }
            for writer in writers {
                results.lost += Set((0..<writer.count).map { "\(writer.name)n\($0)" }).subtracting(ids).count
            }
            results.duplicates += ids.count - Set(ids).count + Int(try client.revision()) - ids.count
        }
    }
}
