import AlmanacJSON
import AlmanacNotes
import AlmanacTestSupport

/// Some devices of one user with the real library, each with a file of its own and a bad network to the real server.
final class World {
    private var random: Randomness
    private var ledger = TokenLedger()
    private var devices: [Device] = []
    private let user: SimulatedUser
    /// The texts that may be typed behind a token. Where the same text is typed again and again, a token between two of
    /// them may look to a diff as if it had been moved: then it is there at least once.
    private let fillers: [String]

    init(seed: UInt64, hasFillers: Bool, _ folder: Folder, _ transport: any ClientTransport) throws {
        random = Randomness(seed: seed)
        fillers = hasFillers ? ["", "a", "aa", "\n", "\r\n", "e\u{301}", "👩‍👩‍👧", "של"] : [""]
        user = try SimulatedUser("simulated")
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
            case 4, 5: try? await device.store.sync()
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
            try await store.create(body: String(ledger.newToken()))
            return
        }
        switch Int.random(in: 0..<24, using: &random) {
        case 0:
            try await store.create(title: "new", body: String(ledger.newToken()))
        case 1:
            ledger.deleteNote(note.id, reading: try await store.delete(note.id).body)
        case 2:
            guard let trashed = try await store.trash().randomElement(using: &random) else { break }
            try await store.restore(trashed.id)
        case 3, 4:
            let other = try await store.notes().filter { $0.id != note.id }.randomElement(using: &random)
            try await store.move(note.id, after: other?.id)
        case 5...9:
            let scalars = Array(note.body.unicodeScalars)
            let start = Int.random(in: 0...scalars.count, using: &random)
            let end = min(scalars.count, start + Int.random(in: 0...4, using: &random))
            ledger.delete(scalars[start..<end])
            try await store.edit(note, body: Self.text(scalars[..<start] + scalars[end...]))
        default:
            let scalars = Array(note.body.unicodeScalars)
            let place = Int.random(in: 0...scalars.count, using: &random)
            let tokens = (0..<Int.random(in: 1...3, using: &random)).map { _ in ledger.newToken() }
            let filler = Array(fillers.randomElement(using: &random)!.unicodeScalars)
            try await store.edit(note, body: Self.text(scalars[..<place] + tokens + filler + scalars[place...]))
        }
    }

    private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    /// Holds everybody's notes against the server's, and every token against the ledger.
    private func check() async throws {
        let answer = try user.read("notes?limit=1000")
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
        var found: [Unicode.Scalar: Int] = [:]
        for text in texts { for token in text.unicodeScalars { found[token, default: 0] += 1 } }
        let revision = answer["revision"]?.numberValue?.int64 ?? 0
        for id in try revision == 0 ? [] : user.read("notes?since=0&limit=1000").texts("deleted") {
            let past = try user.read("notes/\(id)?revision=\(revision)")
            for token in (past.text("body") ?? "").unicodeScalars where TokenLedger.isToken(token) {
                found[token, default: 0] += 1
                guard ledger.seenByDeleter[id]?.contains(token) == true else {
                    throw Surprise("\(id) is in the trash with a token that nobody who deleted it had seen")
                }
            }
        }
        for token in ledger.inserted {
            let count = found[token] ?? 0
            let expected = ledger.deleted.contains(token) ? 0 : 1
            guard count == expected || fillers.count > 1 && count > expected else {
                throw Surprise("the token U+\(String(token.value, radix: 16)) is there \(count) times, not \(expected)")
            }
        }
    }
}
