import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Glibc
import Testing

extension Live {
    /// Devices that send their actions again until they are answered, while services are killed.
    @Suite struct NotesDrillTests {
        private static let notes = (0..<4).map { "n\($0)" }

        @Test func `every action takes effect exactly once though the worker is killed again and again`() throws {
            try killUnderLoad(times: 12) { instance in
                let pid = try #require(try pids(of: "worker", instance).first)
                #expect(kill(pid, SIGKILL) == 0)
                #expect(
                    try eventually(within: .seconds(10)) {
                        try pids(of: "worker", instance).first.map { $0 != pid } ?? false
                    })
            }
        }

        @Test func `every action takes effect exactly once though PostgreSQL is killed again and again`() throws {
            try killUnderLoad(times: 3) { instance in
                let pid = try #require(try pids(of: "postgres", instance).first)
                #expect(kill(pid, SIGKILL) == 0)
                // Nobody supervises the instance's own cluster, so the drill starts it again: another process, since
                // the killed one may be seen for some moments more.
                #expect(
                    eventually(within: .seconds(20)) {
                        (try? instance.run("--start-service", "postgres")) != nil
                            && (try? pids(of: "postgres", instance).first).map { $0 != pid } ?? false
                    })
            }
        }

        /// Writes from several devices, does harm in between, and looks for every word that was written.
        private func killUnderLoad(times: Int, _ harm: (Instance) throws -> Void) throws {
            let user = try NotesUser()
            for note in Self.notes { try user.client().create((note, "|")) }
            let isOver = try Event()
            defer { isOver.set() }
            let written = Monitor<[Int: Int]>([:])
            let failures = Monitor<[String]>([])
            let writers = (0..<8).map { writer in
                Thread(name: "writer \(writer)") {
                    var count = 0
                    while !isOver.isSet {
                        let batch = Self.batch(writer, count)
                        do {
                            try Self.deliver(batch, user)
                            // Some arrive again much later.
                            if count.isMultiple(of: 5) { try Self.deliver(Self.batch(writer, count / 2), user) }
                        } catch {
                            failures.update { $0.append("\(error)") }
                            return
                        }
                        count += 1
                        written.update { [count] in $0[writer] = count }
                    }
                }
            }
            for _ in 0..<times {
                let before = written.read { $0 }
                let isBusy = written.wait(upTo: .seconds(30)) { now in
                    (0..<8).allSatisfy { now[$0] ?? 0 > before[$0] ?? 0 } ? true : nil
                }
                try #require(isBusy == true, "\(failures.read { $0 })")
                try harm(user.instance)
            }
            isOver.set()
            for writer in writers { #expect(writer.wait(upTo: .seconds(40))) }
            #expect(failures.read { $0 } == [])
            try check(user.client(), written.read { $0 })
        }

        /// One action on each of two notes, each with a word that occurs nowhere else.
        private static func batch(_ writer: Int, _ count: Int) -> String {
            let actions: [JSONValue] = [0, 1].map { part in
                let number = (writer + count * 2 + part) % notes.count
                // The revision that made the note, when its text was `|`.
                let (note, base) = (notes[number], Int64(number + 1))
                return [
                    "updateNote",
                    [
                        "action_id": .string("\(writer).\(count).\(part)"), "id": .string(note),
                        "base": .number(JSONNumber(base)),
                        "body": [.string("<\(writer).\(count).\(part)>"), 1],
                    ],
                ]
            }
            return "\(JSONValue.array(actions))"
        }

        /// Sends a batch until it is answered.
        private static func deliver(_ batch: String, _ user: NotesUser) throws {
            let deadline = ContinuousClock.now + .seconds(30)
            let client = user.client()
            while true {
                if let answer = try? client.send("POST", "notes", batch), ![502, 503, 504].contains(answer.status) {
                    let statuses = answer["results"]?.arrayValue?.map { $0.objectValue?.text("status") ?? "?" } ?? []
                    guard statuses.count == 2, statuses.allSatisfy({ ["applied", "merged", "duplicate"].contains($0) })
                    else { throw InstanceFailure(description: "\(batch): \(answer.status) \(answer.text)") }
                    return
                }
                guard ContinuousClock.now < deadline else {
                    throw InstanceFailure(description: "never answered: \(batch)")
                }
            }
        }

        private func check(_ client: NotesClient, _ written: [Int: Int]) throws {
            var expected: [String] = []
            for (writer, count) in written {
                for number in 0..<count { expected += ["<\(writer).\(number).0>", "<\(writer).\(number).1>"] }
            }
            var found: [String] = []
            for note in Self.notes {
                let body = try #require(try client.body(note))
                #expect(body.last == "|")
                found += body.dropLast().split(separator: ">").map { "\($0)>" }
            }
            #expect(found.count == expected.count)
            #expect(found.sorted() == expected.sorted())
            // Nor has a copy left a trace in the history.
            #expect(try client.revision() == Int64(Self.notes.count + expected.count))
        }

        private func pids(of service: String, _ instance: Instance) throws -> [Int32] {
            try instance.run("--pid", service).split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
        }
    }
}
