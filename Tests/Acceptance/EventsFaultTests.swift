import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Glibc
import Testing

extension Live {
    /// Tests of event readers while streams break and services are killed.
    @Suite struct EventsFaultTests {
        /// The number of changes while processes are killed.
        private static let changes = TestDepth.runs(quick: 1500, standard: 1500, long: 10_000)

        private let development: LiveEnvironment

        init() throws { development = try LiveEnvironment("development") }

        @Test func `killed streams and killed services skip no revision for anybody`() throws {
            let byeReasons = try runFaultTest(changes: Self.changes, cuts: true) { progress in
                try injectFault(at: 1, of: 5, progress) { try killOne(of: "events", SIGKILL) }
                try injectFault(at: 2, of: 5, progress) { try killOne(of: "worker", SIGKILL) }
                try injectFault(at: 3, of: 5, progress) { try killPostgres() }
                try injectFault(at: 4, of: 5, progress) { try killOne(of: "events", SIGKILL) }
            }
            #expect(byeReasons.allSatisfy { ["restarting", "token-expired"].contains($0) }, "\(byeReasons)")
        }

        @Test func `an events process that is told to end hands its streams to the other, and nothing is lost`() throws
        {
            let byeReasons = try runFaultTest(changes: 1200, cuts: false) { progress in
                // Stop both processes, because one of them may have no streams.
                let processes = try pids(of: "events")
                for (index, pid) in processes.enumerated() {
                    try injectFault(at: index + 1, of: processes.count + 1, progress) {
                        try end(pid, of: "events", SIGTERM)
                    }
                }
            }
            #expect(!byeReasons.isEmpty)
            #expect(byeReasons.allSatisfy { $0 == "restarting" }, "\(byeReasons)")
        }

        /// The number of answered changes, and the total.
        private typealias Progress = (count: Monitor<Int>, total: Int)

        /// Makes changes, runs `injectFaults` in between, and expects every reader to receive every change.
        ///
        /// - Returns: the server's reasons for ending streams.
        private func runFaultTest(changes: Int, cuts: Bool, _ injectFaults: (Progress) throws -> Void) throws
            -> [String]
        {
            let seed = Randomness().seed
            try development.reset()
            let users = try (0..<2).map { _ in try NotesUser() }
            let progress: Progress = (Monitor(0), changes)
            let failures = Monitor<[String]>([])
            let outcomes = Monitor<[(streams: Int, byeReasons: [String])]>([])
            let configTarget = Monitor<Int64?>(nil)
            let notesTargets = users.map { _ in Monitor<Int64?>(nil) }
            let begun = Monitor(0)
            var threads: [AlmanacPOSIX.Thread] = []

            func follow(_ follower: any EventsFollower, _ target: Monitor<Int64?>, _ number: Int) {
                threads.append(
                    AlmanacPOSIX.Thread(name: "follower \(number)") {
                        do {
                            var follower = follower
                            let outcome = try follower.follow(
                                until: target, cuts: cuts, seed: seed &+ UInt64(number), within: .seconds(240)
                            ) { begun.update { $0 += 1 } }
                            try follower.compare()
                            outcomes.update { $0.append(outcome) }
                        } catch {
                            failures.update { $0.append("follower \(number), ALMANAC_TEST_SEED=\(seed): \(error)") }
                        }
                    })
            }
            for number in 0..<4 { follow(try ConfigFollower(development), configTarget, number) }
            for number in 0..<4 { follow(NotesFollower(users[number % 2]), notesTargets[number % 2], 4 + number) }

            let areThere = begun.wait(upTo: .seconds(20)) { $0 == 8 ? true : nil }
            try #require(areThere == true, "\(failures.read { $0 })")

            let development = development
            func write(_ name: String, _ target: Monitor<Int64?>, _ body: @escaping @Sendable () throws -> Int64) {
                threads.append(
                    AlmanacPOSIX.Thread(name: name) {
                        do {
                            let revision = try body()
                            target.update { $0 = revision }
                        } catch {
                            failures.update { $0.append("\(name): \(error)") }
                        }
                    })
            }
            let (count, configChanges) = (progress.count, changes / 5)
            write("config writer", configTarget) { try Self.writeConfig(configChanges, development, count) }
            let noteChanges = (changes - configChanges) / users.count
            for (user, target) in zip(users, notesTargets) {
                write("notes writer", target) { try Self.writeNotes(noteChanges, user, count) }
            }

            try injectFaults(progress)
            for thread in threads { #expect(thread.wait(upTo: .seconds(300))) }
            #expect(failures.read { $0 } == [])
            let all = outcomes.read { $0 }
            #expect(all.count == 8)
            print("\(changes) changes, \(all.map(\.streams)) streams of 8 readers, ALMANAC_TEST_SEED=\(seed)")
            if cuts { #expect(all.allSatisfy { $0.streams > 2 }) }
            return all.flatMap(\.byeReasons)
        }

        // MARK: Changes

        /// Makes releases and retries each until it is answered. An unanswered release may still have been made.
        private static func writeConfig(_ changes: Int, _ environment: LiveEnvironment, _ count: Monitor<Int>) throws
            -> Int64
        {
            let client = environment.client()
            var revision: Int64 = -1
            for number in 0..<changes {
                revision =
                    try untilAnswered {
                        try client.put(environment.path("config/k\(number % 7)"), .number(JSONNumber(Int64(number))))
                    }.revision ?? -1
                count.update { $0 += 1 }
            }
            return revision
        }

        /// Sends actions in batches and retries each batch until it is answered.
        private static func writeNotes(_ changes: Int, _ user: NotesUser, _ count: Monitor<Int>) throws -> Int64 {
            let client = user.client()
            var sent = 0
            var batch = 0
            while sent < changes {
                let size = min(1 + batch % 10, changes - sent)
                let actions: [JSONValue] = (sent..<sent + size).map { action(number: $0) }
                let answer = try untilAnswered { try client.send("POST", "notes", "\(JSONValue.array(actions))") }
                let results = answer["results"]?.arrayValue?.compactMap { $0.objectValue?.text("status") } ?? []
                guard results.count == size, results.allSatisfy({ ["applied", "merged", "duplicate"].contains($0) })
                else { throw UnexpectedResult("\(answer.text)") }
                sent += size
                batch += 1
                count.update { [size] in $0 += size }
            }
            // A process may have just been killed.
            return try untilAnswered { try client.send("GET", "notes") }.revision ?? -1
        }

        /// Returns an action: the first five create notes, and the others add words or delete and restore notes.
        private static func action(number: Int) -> JSONValue {
            let id = JSONValue.string("n\(number % 5)")
            let name = JSONValue.string("a\(number)")
            if number < 5 { return ["createNote", ["action_id": name, "id": id, "body": "|"]] }
            switch number % 40 {
            case 33: return ["deleteNote", ["action_id": name, "id": id]]
            case 38:
                return [
                    "restoreNote",
                    ["action_id": name, "id": id, "revision": .number(JSONNumber(Int64(number % 5 + 1)))],
                ]
            default:
                return [
                    "updateNote",
                    [
                        "action_id": name, "id": id, "base": .number(JSONNumber(Int64(number % 5 + 1))),
                        "body": [.string("<\(number)>"), 1],
                    ],
                ]
            }
        }

        // MARK: Faults

        /// Waits for a part of the changes, then runs `body`.
        private func injectFault(at part: Int, of parts: Int, _ progress: Progress, _ body: () throws -> Void) throws {
            let needed = progress.total * part / parts
            let isThere = progress.count.wait(upTo: .seconds(120)) { $0 >= needed ? true : nil }
            try #require(isThere == true, "\(progress.count.read { $0 }) of \(needed) changes")
            try body()
        }

        private func killOne(of service: String, _ signal: Int32) throws {
            try end(try #require(try pids(of: service).first), of: service, signal)
        }

        /// Kills a process and waits until another one replaces it.
        private func end(_ pid: pid_t, of service: String, _ signal: Int32) throws {
            let before = try pids(of: service)
            #expect(kill(pid, signal) == 0)
            #expect(
                try eventually(within: .seconds(20)) {
                    let now = try pids(of: service)
                    return now.count == before.count && !now.contains(pid)
                })
        }

        private func killPostgres() throws {
            let pid = try #require(try pids(of: "postgres").first)
            #expect(kill(pid, SIGKILL) == 0)
            #expect(
                eventually(within: .seconds(20)) {
                    (try? development.instance.run("--start-service", "postgres")) != nil
                        && (try? pids(of: "postgres").first).map { $0 != pid } ?? false
                })
        }

        private func pids(of service: String) throws -> [Int32] { try development.instance.pids(of: service) }
    }
}
