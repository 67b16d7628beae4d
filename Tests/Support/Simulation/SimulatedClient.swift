internal import AlmanacJSON
internal import TextMerge

/// A device with a copy of a user's notes, like an app.
///
/// At most one action per note is in flight. The device merges with the same algorithm as the server.
struct SimulatedClient {
    let name: String
    private(set) var notes: [String: LocalNote] = [:]
    private var moves: [String: JSONValue] = [:]
    private var cursor = "0"
    private var count = 0

    struct LocalNote {
        /// The last text known from the server. Its revision is 0 until the server knows the note.
        var shadow: String
        var revision: Int64
        var local: String
        /// The action that was sent and has no response yet.
        var sent: Sent?
        /// The newest change of another client that arrived while an action was in flight.
        var remoteChange: (revision: Int64, text: String?)?
        /// True if the device's user has deleted the note.
        var isDeleted = false
        /// True if the note is in the server's trash.
        var isInServerTrash = false

        var isSettled: Bool { revision > 0 && sent == nil && !isDeleted && local.utf8.elementsEqual(shadow.utf8) }
    }

    struct Sent {
        let id: String
        let action: JSONValue
        let text: String
    }

    init(name: String) { self.name = name }

    var isSettled: Bool { moves.isEmpty && notes.values.allSatisfy(\.isSettled) }

    private mutating func newID() -> String {
        count += 1
        return "\(name)-\(count)"
    }
}

extension SimulatedClient {
    /// - Parameter lines: the number of lines of a new note.
    mutating func performRandomEdit(_ log: inout WordLog, _ random: inout Randomness, lines: Int) {
        let visible = notes.filter { !$0.value.isDeleted }.keys.sorted()
        guard let id = visible.randomElement(using: &random), var note = notes[id] else {
            return create(lines: lines, &log, &random)
        }
        switch Int.random(in: 0..<20, using: &random) {
        case 0: create(lines: lines, &log, &random)
        case 1 where note.isSettled:
            log.deleteNote(id, reading: note.local)
            note.isDeleted = true
            notes[id] = note
        case 2:
            let action = newID()
            let after = visible.filter { $0 != id }.randomElement(using: &random)
            moves[action] = [
                "moveNote",
                ["action_id": .string(action), "id": .string(id), "after": after.map { .string($0) } ?? .null],
            ]
        case 3...6:
            note.local = RandomWriter.delete(from: note.local, &log, &random)
            notes[id] = note
        case 7...9:
            note.local = RandomWriter.rewrite(in: note.local, &log, &random)
            notes[id] = note
        default:
            note.local = RandomWriter.insert(into: note.local, &log, &random)
            notes[id] = note
        }
    }

    private mutating func create(lines: Int, _ log: inout WordLog, _ random: inout Randomness) {
        let id = newID()
        notes[id] = LocalNote(shadow: "", revision: 0, local: RandomWriter.text(lines: lines, &log, &random))
    }
}

extension SimulatedClient {
    /// Returns the actions to send, including those without a response so far.
    mutating func actions(_ random: inout Randomness) -> [JSONValue] {
        for id in notes.keys.sorted() {
            guard var note = notes[id], note.sent == nil else { continue }
            if note.isSettled {
                // An edit that was undone does not restore a deleted note.
                if note.isInServerTrash { notes[id] = nil }
                continue
            }
            let action = newID()
            var fields: [(name: String, value: JSONValue)] = [("action_id", .string(action)), ("id", .string(id))]
            var kind = "updateNote"
            if note.isDeleted {
                kind = "deleteNote"
                fields.append(("base", .number(JSONNumber(note.revision))))
            } else if note.revision == 0 {
                kind = "createNote"
                fields.append(("body", .string(note.local)))
            } else {
                let isDiffList = Int.random(in: 0..<4, using: &random) == 0 && !note.shadow.isEmpty
                if !isDiffList || Bool.random(using: &random) {
                    fields.append(("base", .number(JSONNumber(note.revision))))
                }
                let delta = Delta.between(note.shadow, note.local)
                fields.append(("body", isDiffList ? Self.diffList(delta, note.shadow) : Self.delta(delta, &random)))
            }
            note.sent = Sent(id: action, action: [.string(kind), .object(JSONObject(fields))], text: note.local)
            notes[id] = note
        }
        return notes.keys.sorted().compactMap { notes[$0]?.sent?.action } + moves.keys.sorted().compactMap { moves[$0] }
    }

    private static func delta(_ delta: Delta, _ random: inout Randomness) -> JSONValue {
        if Bool.random(using: &random) { return .string(delta.deltaString) }
        return .array(delta.elements.map(json))
    }

    private static func diffList(_ delta: Delta, _ base: String) -> JSONValue {
        .array(((try? delta.diffList(of: base)) ?? []).map(json))
    }

    private static func json(_ element: DeltaElement) -> JSONValue {
        switch element {
        case .integer(let number): .number(JSONNumber(number))
        case .text(let text): .string(text)
        case .pair(let code, let text): [.number(JSONNumber(code)), .string(text)]
        case .other: .null
        }
    }
}

extension SimulatedClient {
    /// Applies the response to a batch.
    mutating func receive(_ results: [JSONObject]) throws {
        for result in results {
            guard let action = result.text("action_id") else { throw UnexpectedResult("no action_id in \(result)") }
            if moves.removeValue(forKey: action) != nil { continue }
            guard let (id, note) = notes.first(where: { $0.value.sent?.id == action }), let sent = note.sent else {
                continue
            }
            notes[id] = try Self.settle(note, sent, result)
        }
    }

    /// Returns the note after the response to its action, or nil if the note is gone.
    private static func settle(_ before: LocalNote, _ sent: Sent, _ result: JSONObject) throws -> LocalNote? {
        var note = before
        note.sent = nil
        note.remoteChange = nil
        guard var revision = result.number("revision") else { throw UnexpectedResult("no revision in \(result)") }
        let whole = result["note"]?.objectValue
        var text = sent.text
        note.isInServerTrash = result["deleted"] == .some(true)
        switch result.text("status") {
        case "applied": break
        case "merged" where whole == nil: text = try apply(result["body"], to: sent.text)
        case "merged", "duplicate":
            text = whole?.text("body") ?? sent.text
        default: throw UnexpectedResult("\(sent.action) was answered \(result)")
        }
        if let change = before.remoteChange, change.revision > revision {
            note.isInServerTrash = change.text == nil
            // A revision is only stored together with its text.
            if let newer = change.text { (revision, text) = (change.revision, newer) }
        }
        note.local = note.isDeleted ? text : ThreeWay.merge(base: sent.text, theirs: text, mine: note.local).text
        (note.shadow, note.revision) = (text, revision)
        note.isDeleted = false
        // Text that was written since the request restores the note.
        return note.isInServerTrash && note.isSettled ? nil : note
    }

    private static func apply(_ delta: JSONValue?, to text: String) throws -> String {
        guard let elements = delta?.arrayValue else { throw UnexpectedResult("merged without a delta") }
        return try EncodedDelta(
            elements.map { $0.numberValue?.int64.map { .integer(Int($0)) } ?? .text($0.stringValue ?? "") }
        ).apply(to: text)
    }

    /// Requests the changes since the cursor, page by page. Each response may get lost.
    mutating func pull(_ server: some SimulatedServer, isLost: () -> Bool) throws {
        while true {
            let answer = try server.read("notes?limit=3&since=\(cursor)")
            if isLost() { return }
            let details = answer["details"]?.objectValue
            for id in try answer.texts("order") {
                guard let note = details?[id]?.objectValue, let text = note.text("body"),
                    let revision = note.number("revision")
                else { throw UnexpectedResult("no details of \(id)") }
                receive(id, revision, text)
            }
            let reached = answer.text("cursor") ?? ""
            for id in try answer.texts("deleted") { receive(id, Self.revision(of: reached), nil) }
            cursor = reached
            guard answer["more"] == .some(true) else { return }
        }
    }

    private mutating func receive(_ id: String, _ revision: Int64, _ text: String?) {
        guard var note = notes[id] else {
            if let text { notes[id] = LocalNote(shadow: text, revision: revision, local: text) }
            return
        }
        guard revision > note.revision else { return }
        if note.sent != nil {
            if revision > note.remoteChange?.revision ?? 0 { note.remoteChange = (revision, text) }
        } else if let text {
            (note.isDeleted, note.isInServerTrash) = (false, false)
            note.local = ThreeWay.merge(base: note.shadow, theirs: text, mine: note.local).text
            (note.shadow, note.revision) = (text, revision)
        } else if note.isDeleted || note.isSettled {
            notes[id] = nil
            return
        } else {
            note.isInServerTrash = true
        }
        notes[id] = note
    }

    private static func revision(of cursor: String) -> Int64 { Int64(cursor.prefix { $0 != "." }) ?? 0 }
}
