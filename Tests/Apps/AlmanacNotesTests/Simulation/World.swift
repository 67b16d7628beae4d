import AlmanacJSON
import AlmanacNotes
import AlmanacTestSupport

/// Some devices of one user with the real library, each with a file of its own and a bad network to the real server.
final class World {
    private var random: Randomness
    private var ledger = WordLedger()
    private var devices: [Device] = []
    private let user: SimulatedUser
    /// How many lines a new note has.
    private let lines: Int

    init(seed: UInt64, lines: Int, _ folder: Folder, _ transport: any ClientTransport) async throws {
        random = Randomness(seed: seed)
        self.lines = lines
        user = try await SimulatedUser("simulated")
        for index in 0..<3 {
            let network = FaultyNetwork(transport, seed: random.next())
            devices.append(try Device("d\(index)", folder, network, user))
        }
    }

    /// Lets everybody do something at random, then lets everything settle.
    func run(steps: Int) async throws {
        for _ in 0..<steps {
            let device = devices.randomElement(using: &random)!
            try await doSomething(device)
            switch Int.random(in: 0..<12, using: &random) {
            case 0...3: device.beginSync()
            case 4, 5: _ = try? await device.store.sync()
            case 6: try await device.deliverLate()
            case 7: try await device.crash()
            default: break
            }
        }
        for device in devices { try await device.settle() }
        try await user.settle(devices.map(\.store))
        try await check()
    }

    private func doSomething(_ device: Device) async throws {
        let store = device.store
        guard let note = try await store.notes().randomElement(using: &random) else {
            try await store.create(body: Writer.text(lines: lines, &ledger, &random))
            return
        }
        switch Int.random(in: 0..<24, using: &random) {
        case 0:
            try await store.create(title: "new", body: Writer.text(lines: lines, &ledger, &random))
        case 1:
            ledger.deleteNote(note.id, reading: try await store.delete(note.id).body)
        case 2:
            guard let trashed = try await store.trash().randomElement(using: &random) else { break }
            try await store.restore(trashed.id)
        case 3, 4:
            let other = try await store.notes().filter { $0.id != note.id }.randomElement(using: &random)
            try await store.move(note.id, after: other?.id)
        case 5...8:
            try await store.edit(note, body: Writer.delete(from: note.body, &ledger, &random))
        case 9...11:
            try await store.edit(note, body: Writer.rewrite(in: note.body, &ledger, &random))
        default:
            try await store.edit(note, body: Writer.insert(into: note.body, &ledger, &random))
        }
    }

    /// Holds everybody's notes against the server's, and every word against the ledger.
    private func check() async throws {
        let answer = try await user.read("notes?limit=1000")
        let details = answer["details"]?.objectValue
        let order = answer.texts("order")
        let texts = order.map { details?[$0]?.objectValue?.text("body") ?? "?" }
        for device in devices {
            let notes = try await device.store.notes()
            guard notes.map(\.id) == order else {
                throw Surprise("\(device.name) lists \(notes.map(\.id)), the server \(order)")
            }
            for (note, text) in zip(notes, texts) {
                guard note.body.utf8.elementsEqual(text.utf8) else {
                    throw Surprise("\(device.name) has another text of \(note.id) than the server")
                }
                guard note.status == .onServer else {
                    throw Surprise("\(device.name) says \(note.id) is \(note.status)")
                }
            }
        }
        let revision = answer["revision"]?.numberValue?.int64 ?? 0
        var thrown: [String] = []
        for id in try await revision == 0 ? [] : user.read("notes?since=0&limit=1000").texts("deleted") {
            thrown.append(try await user.read("notes/\(id)?revision=\(revision)").text("body") ?? "")
            if let word = ledger.unseenWord(inDeleted: id, thrown[thrown.count - 1]) {
                throw Surprise("\(id) is in the trash with \(word), which nobody who deleted it had seen")
            }
        }
        if let problem = ledger.problem(with: texts + thrown) { throw Surprise(problem) }
    }
}
