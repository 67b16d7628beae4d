import AlmanacJSON
import AlmanacNotes
import AlmanacTestSupport

/// A simulation of one user's devices with the real library, over faulty networks to the real server.
final class DeviceSimulation {
    private var random: Randomness
    private var log = WordLog()
    private var tags = TagLog()
    private var devices: [Device] = []
    private let user: SimulatedUser
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

    /// Runs random steps on random devices, then waits until all devices have synced.
    func run(steps: Int) async throws {
        for _ in 0..<steps {
            let device = devices.randomElement(using: &random)!
            try await performRandomAction(device)
            switch Int.random(in: 0..<12, using: &random) {
            case 0...3: device.beginSync()
            case 4, 5: _ = try? await device.store.sync()
            case 6: try await device.deliverDelayedRequests()
            case 7: try await device.crash()
            default: break
            }
        }
        for device in devices { try await device.settle() }
        try await user.settle(devices.map(\.store))
        try await check()
    }

    private func performRandomAction(_ device: Device) async throws {
        let store = device.store
        guard let note = try await store.notes().randomElement(using: &random) else {
            try await store.create(body: RandomWriter.text(lines: lines, &log, &random))
            return
        }
        switch Int.random(in: 0..<30, using: &random) {
        case 0:
            try await store.create(title: "new", body: RandomWriter.text(lines: lines, &log, &random))
        case 1:
            log.deleteNote(note.id, reading: try await store.delete(note.id).body)
        case 2:
            guard let trashed = try await store.trash().randomElement(using: &random) else { break }
            try await store.restore(trashed.id)
        case 3, 4:
            let other = try await store.notes().filter { $0.id != note.id }.randomElement(using: &random)
            try await store.move(note.id, after: other?.id)
        case 5...8:
            try await store.edit(note, body: RandomWriter.delete(from: note.body, &log, &random))
        case 9...11:
            try await store.edit(note, body: RandomWriter.rewrite(in: note.body, &log, &random))
        case 24...27:
            // Tags don't restore a note from the trash.
            let trashed = try await store.trash().randomElement(using: &random)
            let note = Int.random(in: 0..<4, using: &random) == 0 ? trashed ?? note : note
            if Bool.random(using: &random), let tag = note.tags.randomElement(using: &random) {
                tags.remove(tag)
                try await store.tag(note.id, remove: [tag])
            } else {
                try await store.tag(note.id, add: [tags.newTag(for: note.id)])
            }
        case 28, 29:
            tags.pin(note.id, !note.isPinned)
            try await store.pin(note.id, !note.isPinned)
        default: try await store.edit(note, body: RandomWriter.insert(into: note.body, &log, &random))
        }
    }

    /// Compares each device's notes with the server's, and the words with the write log.
    private func check() async throws {
        let answer = try await user.read("notes?limit=1000")
        let details = answer["details"]?.objectValue
        let isPinned = { details?[$0]?.objectValue?["pinned"]?.boolValue == true }
        let order = answer.texts("order").filter(isPinned) + answer.texts("order").filter { !isPinned($0) }
        let listed = order.map { (id: $0, note: details?[$0]?.objectValue ?? JSONObject()) }
        for device in devices {
            let notes = try await device.store.notes()
            guard notes.map(\.id) == order else {
                throw UnexpectedResult("\(device.name) lists \(notes.map(\.id)), the server \(order)")
            }
            for (note, (_, known)) in zip(notes, listed) {
                guard note.body.utf8.elementsEqual((known.text("body") ?? "?").utf8),
                    note.tags == known.texts("tags"), note.isPinned == known["pinned"]?.boolValue
                else {
                    throw UnexpectedResult("\(device.name) has another text of \(note.id) than the server")
                }
                guard note.status == .onServer else {
                    throw UnexpectedResult("\(device.name) says \(note.id) is \(note.status)")
                }
            }
        }
        let revision = answer["revision"]?.numberValue?.int64 ?? 0
        var thrown: [(id: String, note: JSONObject)] = []
        for id in try await revision == 0 ? [] : user.read("notes?since=0&limit=1000").texts("deleted") {
            let note = try await user.read("notes/\(id)?revision=\(revision)")
            thrown.append((id, note))
            if let word = log.unseenWord(inDeleted: id, note.text("body") ?? "") {
                throw UnexpectedResult("\(id) is in the trash with \(word), which nobody who deleted it had seen")
            }
        }
        let all = listed + thrown
        let bodies = all.map { $0.note.text("body") ?? "?" }
        if let problem = log.problem(with: bodies, writers: devices.count) { throw UnexpectedResult(problem) }
        let filed = all.map { ($0.id, $0.note.texts("tags"), $0.note["pinned"]?.boolValue == true) }
        if let problem = tags.problem(with: filed) { throw UnexpectedResult(problem) }
    }
}
