import AlmanacForms
import AlmanacJSON
import AlmanacTestSupport
import Testing

@testable import AlmanacNotesDomain

/// Simulates devices that add and remove the same tags, offline and at the same time.
@Suite(.database(.migrated)) struct TagConvergenceTests {
    /// The number of simulations.
    private static let runs = TestDepth.runs(quick: 10, standard: 40, long: 400)

    /// Runs random simulations. The seed in a failure's message, set as `ALMANAC_TEST_SEED`, becomes the first
    /// simulation's.
    @Test func `tags that several devices add and remove are the same everywhere, and an addition wins`() throws {
        let instance = try NotesInstance()
        let seed = Randomness().seed
        for run in 0..<Self.runs {
            let runSeed = seed &+ UInt64(run)
            var simulation = TagSimulation(
                instance: instance, user: "user\(runSeed)", random: Randomness(seed: runSeed))
            if let problem = try simulation.run() {
                Issue.record("ALMANAC_TEST_SEED=\(runSeed) ALMANAC_TEST_RUNS=1: \(problem)")
                return
            }
        }
    }
}

private struct TagSimulation {
    static let tags = [
        "work", "to do", "Straße", "🛒", "👩‍👩‍👧 family", "é", "e\u{301}",
        "日記", "עבודה", "Work",
    ]

    let instance: NotesInstance
    let user: String
    var random: Randomness
    var devices = (0..<3).map { Device(name: "d\($0)") }
    var delayed: [Device.Sent] = []
    /// The actions that the server applied, in order.
    var log: [Applied] = []

    init(instance: NotesInstance, user: String, random: Randomness) {
        self.instance = instance
        self.user = user
        self.random = random
    }

    struct Applied {
        let revision: Int64
        let base: Int64
        let added: [String]
        let removed: [String]
    }

    /// A device as an app stores it: the server's last known tags, and the user's tags.
    struct Device {
        let name: String
        var revision: Int64 = 1
        var base: [String] = []
        var mine: [String] = []

        var count = 0
        var sent: Sent?

        struct Sent {
            let action: String
            let applied: Applied
            let tags: [String]
        }

        mutating func toggle(_ tag: String) {
            let remainingTags = mine.filter { !$0.utf8.elementsEqual(tag.utf8) }
            mine = remainingTags.count < mine.count ? remainingTags : mine + [tag]
        }

        /// Adopts the server's tags and reapplies the changes made here since the base.
        mutating func receive(_ theirs: [String], at revision: Int64, mineAsSent: [String]? = nil) {
            guard revision >= self.revision else { return }
            let from = mineAsSent ?? base
            mine = theirs.without(from.without(mine)) + mine.without(from).without(theirs)
            base = theirs
            self.revision = revision
        }
    }

    mutating func run() throws -> String? {
        try instance.act(#"[["createNote", {"id": "n1", "body": "milk"}]]"#, as: user)
        for _ in 0..<60 {
            let index = Int.random(in: 0..<3, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0...3: devices[index].toggle(Self.tags.randomElement(using: &random)!)
            case 4: try pull(index)
            case 5: try push(index, Delivery.allCases.randomElement(using: &random)!)
            case 6: try push(index, .delivered)
            default: if let sent = delayed.randomElement(using: &random) { _ = try send(sent) }
            }
        }
        for sent in delayed { _ = try send(sent) }
        for _ in 0..<6 {
            for index in devices.indices {
                try push(index, .delivered)
                try pull(index)
            }
        }
        return try check()
    }

    private mutating func pull(_ index: Int) throws {
        guard devices[index].sent == nil else { return }
        let note = try #require(try instance.call("GET", "/notes/n1", as: user).expecting(200).json.objectValue)
        devices[index].receive(Self.tags(of: note), at: try #require(note.number("revision")))
    }

    /// The network's treatment of a request. A duplicated request is sent again later.
    private enum Delivery: CaseIterable { case delayed, responseLost, duplicated, delivered }

    private mutating func push(_ index: Int, _ delivery: Delivery) throws {
        var device = devices[index]
        if device.sent == nil {
            let (added, removed) = (device.mine.without(device.base), device.base.without(device.mine))
            guard !added.isEmpty || !removed.isEmpty else { return }
            device.count += 1
            let fields: JSONValue = [
                "action_id": .string("\(device.name)-\(device.count)"), "id": "n1",
                "base": .number(JSONNumber(device.revision)),
                "tags": [
                    "add": .array(added.map { .string($0) }), "remove": .array(removed.map { .string($0) }),
                ],
            ]
            device.sent = Device.Sent(
                action: "\([["updateNote", fields]] as JSONValue)",
                applied: Applied(revision: 0, base: device.revision, added: added, removed: removed), tags: device.mine)
        }
        devices[index] = device
        let sent = device.sent!
        if delivery == .delayed {
            delayed.append(sent)
            return
        }
        if delivery == .duplicated { delayed.append(sent) }
        let result = try send(sent)
        if delivery == .responseLost { return }
        devices[index].sent = nil
        devices[index].receive(
            Self.tags(of: result), at: try #require(result.number("revision")), mineAsSent: sent.tags)
    }

    private mutating func send(_ sent: Device.Sent) throws -> JSONObject {
        let result = try instance.act(sent.action, as: user)[0]
        try #require(["applied", "duplicate"].contains(result.outcome), "\(result)")
        if result.outcome == "applied" {
            log.append(
                Applied(
                    revision: try #require(result.number("revision")), base: sent.applied.base,
                    added: sent.applied.added, removed: sent.applied.removed))
        }
        return result
    }

    private static func tags(of object: JSONObject) -> [String] {
        object["tags"]?.arrayValue?.compactMap(\.stringValue) ?? ["?"]
    }

    private func check() throws -> String? {
        let note = try #require(try instance.call("GET", "/notes/n1", as: user).expecting(200).json.objectValue)
        let found = Self.tags(of: note)
        for device in devices
        where !NoteTag.set(device.mine).map({ Array($0.utf8) }).elementsEqual(found.map { Array($0.utf8) })
            || device.sent != nil
        {
            return "\(device.name) has \(device.mine), the server \(found)"
        }
        for tag in Self.tags {
            // A tag remains if each removal after its last addition had not seen that addition.
            let lastAdded = log.last { $0.added.has(tag) }
            let isThere = lastAdded.map { added in
                !log.contains { $0.revision > added.revision && $0.base >= added.revision && $0.removed.has(tag) }
            }
            if (isThere ?? false) != found.has(tag) { return "'\(tag)' \(found.has(tag) ? "is" : "is not") there" }
        }
        return note["body"] == "milk" ? nil : "the text is another"
    }
}

extension [String] {
    fileprivate func has(_ tag: String) -> Bool { contains { $0.utf8.elementsEqual(tag.utf8) } }
    fileprivate func without(_ removedTags: [String]) -> [String] { filter { !removedTags.has($0) } }
}
