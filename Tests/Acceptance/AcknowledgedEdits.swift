import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport

/// Devices of one user that edit the same notes concurrently and retry each action until it is answered.
final class AcknowledgedEdits: Sendable {
    struct Outcome {
        /// The number of words whose actions were answered.
        var acknowledged = 0
        /// The number of acknowledged words that no note contains.
        var lost = 0
        /// The number of words that occur twice, plus the actions that have a second entry in the history.
        var duplicates = 0
        /// Every response that is neither a success nor a sign that a service is away.
        var faults: [String] = []
    }

    private static let notes = (0..<4).map { "n\($0)" }

    private let user: NotesUser
    private let devices: Int
    private let isStopped: Event
    /// The number of answered batches of each device.
    private let written = Monitor<[Int: Int]>([:])
    private let faults = Monitor<[String]>([])
    private let threads: [Thread]

    /// - Parameter user: a user without notes.
    init(_ user: NotesUser, devices: Int = 8) throws {
        for note in Self.notes { try user.client().create((note, "|")) }
        let isStopped = try Event()
        (self.user, self.devices, self.isStopped) = (user, devices, isStopped)
        let (written, faults) = (written, faults)
        threads = (0..<devices).map { device in
            Thread(name: "device \(device)") {
                var count = 0
                while !isStopped.isSet {
                    let batch = Self.batch(device, count)
                    do {
                        try Self.deliver(batch, user)
                        // Some actions are repeated much later.
                        if count.isMultiple(of: 5) { try Self.deliver(Self.batch(device, count / 2), user) }
                    } catch {
                        faults.update { $0.append("\(error)") }
                        return
                    }
                    count += 1
                    written.update { [count] in $0[device] = count }
                }
            }
        }
    }

    deinit { isStopped.set() }

    /// Blocks until each device has received another response.
    func awaitProgress() -> Bool {
        let before = written.read { $0 }
        return written.wait(upTo: .seconds(30)) { [devices] now in
            (0..<devices).allSatisfy { now[$0] ?? 0 > before[$0] ?? 0 } ? true : nil
        } ?? false
    }

    /// Stops the devices and counts every word.
    func stop() throws -> Outcome {
        isStopped.set()
        let haveEnded = threads.map { $0.wait(upTo: .seconds(60)) }.allSatisfy { $0 }
        var outcome = Outcome(faults: faults.read { $0 } + (haveEnded ? [] : ["a device did not stop within 60 s"]))
        let client = user.client()
        var found: [String: Int] = [:]
        for note in Self.notes {
            let body = try client.body(note) ?? ""
            if body.last != "|" { outcome.faults.append("\(note) is not as it was made: \(body.suffix(100))") }
            for word in body.dropLast().split(separator: ">") { found["\(word)>", default: 0] += 1 }
        }
        for (device, count) in written.read({ $0 }) {
            for number in 0..<count {
                let words = (0..<2).map { Self.word(device, number, $0) }
                outcome.acknowledged += words.count
                outcome.lost += words.count { found[$0] == nil }
            }
        }
        // A repeated action must leave no entry in the history either.
        outcome.duplicates =
            found.values.reduce(0, +) - found.count + Int(try client.revision()) - Self.notes.count - found.count
        let unexpectedWords = found.count - (outcome.acknowledged - outcome.lost)
        if unexpectedWords != 0 { outcome.faults.append("\(unexpectedWords) words that no device has written") }
        return outcome
    }

    private static func word(_ device: Int, _ count: Int, _ part: Int) -> String { "<\(device).\(count).\(part)>" }

    /// Returns one action on each of two notes, each with a unique word.
    private static func batch(_ device: Int, _ count: Int) -> String {
        let actions: [JSONValue] = [0, 1].map { part in
            let number = (device + count * 2 + part) % notes.count
            // The revision that created the note. Its text was `|` then.
            let (note, base) = (notes[number], Int64(number + 1))
            return [
                "updateNote",
                [
                    "action_id": .string("\(device).\(count).\(part)"), "id": .string(note),
                    "base": .number(JSONNumber(base)), "body": [.string(word(device, count, part)), 1],
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
}
