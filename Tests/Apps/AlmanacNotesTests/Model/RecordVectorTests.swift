import AlmanacPOSIX
import AlmanacRevisions
import AlmanacTestSupport
import Foundation
import Testing

@testable import AlmanacNotes

/// Tests of the vectors for a note's state machine. Tests/Web/state/notes-record.test.js runs them for the page.
///
/// After a change of the state machine, run with `ALMANAC_TEST_WRITE_VECTORS=1` to rewrite the vectors.
@Suite struct RecordVectorTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("record-vectors.json")

    @Test func `a record goes through the situations of the vectors as they say`() throws {
        if Process.variable("ALMANAC_TEST_WRITE_VECTORS") != nil {
            let walks = (0..<90).map { RandomRecordSteps(seed: $0).json }
            let lines = try walks.map { String(decoding: try $0.canonical(), as: UTF8.self) }
            try Data("[\n\(lines.joined(separator: ",\n"))\n]\n".utf8).write(to: Self.file)
        }
        let vectors = try #require(
            try JSONSerialization.jsonObject(with: try Data(contentsOf: Self.file)) as? [[String: Any]])
        #expect(vectors.count == 90)
        for (seed, vector) in vectors.enumerated() {
            let walk = RandomRecordSteps(seed: seed).json
            #expect(try walk.canonical() == vector.canonical(), "walk \(seed)")
        }
    }

    @Test func `the vectors have every step, every kind of action and every problem in them`() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let kinds = ["create", "update", "spelledUpdate", "delete", "restore", "move", "purge"]
        let words =
            RandomRecordSteps.steps + kinds + RandomRecordSteps.problems + RandomRecordSteps.tags + [
                "removed", "acknowledged", "waiting",
            ]
        for word in words { #expect(text.contains("\"\(word)\""), "\(word)") }
    }
}

/// A note that takes random steps, with the result of each step.
private struct RandomRecordSteps {
    private var randomness: SeededRandomness
    private var record: NoteRecord
    private var revision: Int64 = 3
    private var actions = 0
    private var steps: [[String: Any]] = []
    private var known: [String: Any] = [:]

    static let steps = [
        "edit", "trash", "removeForGood", "takeOut", "move", "discard", "begin", "outcome", "change", "forget", "leave",
        "stay",
    ]
    static let problems = [
        "note-gone", "note-exists", "resync", "revision-not-kept", "delta-mismatch", "limit-exceeded",
    ]
    private static let lines = [
        "Einkaufen: Milch, Brot", "Milk, eggs and bread for Saturday.", "Call Zoë about the keys 🔑",
        "- [ ] water plants",
        "- [x] pay rent", "The meeting is on Tuesday at 10, not on Monday.", "", "naïve café",
        "المفتاح تحت الحجر",
    ]
    /// Tags whose order differs by bytes, by UTF-16 and by canonical equivalence.
    static let tags = ["work", "two words", "café", "cafe\u{301}", "🔑", "\u{FB01}"]

    init(seed: Int) {
        randomness = SeededRandomness(seed: UInt64(seed))
        record = NoteRecord(id: "n1", text: StoredNote.Text(title: "Saturday"), createdAt: 1000, updatedAt: 1000)
        if seed % 3 != 0 {
            record = NoteRecord(id: "n1", text: text(instead: record.text), createdAt: 1000, updatedAt: 1000)
            let change = change(text: record.text)
            record.receive(change)
            steps.append(["step": "change", "change": change.json, "then": changedMembers()])
        }
        for _ in 0..<24 {
            let step = step()
            steps.append(step)
            if step["gives"] as? String == "remove" { return }
        }
    }

    /// The vector, which begins with a new record of a device.
    var json: [String: Any] { ["steps": steps] }

    private mutating func step() -> [String: Any] {
        var step: [String: Any] = [:]
        // Repeat the steps that make progress, to outnumber the final ones.
        let names =
            Self.steps + [
                "edit", "begin", "begin", "outcome", "outcome", "outcome", "change", "change", "edit", "forget",
            ]
            // Few updates are refused for their base, so make a resend of those likely.
            + (record.spellsBase ? Array(repeating: "begin", count: 12) : [])
        let name = names[randomness.below(names.count)]
        step["step"] = name
        let time = Int64(2000 + steps.count)
        switch name {
        case "edit":
            let text = text(instead: record.text)
            (step["text"], step["time"]) = (text.json, time)
            record.edit(text, at: time)
        case "trash": record.moveToTrash()
        case "removeForGood": step["gives"] = record.removeForGood().word
        case "takeOut": record.takeOutOfTrash()
        case "move":
            let after = randomness.below(3) == 0 ? nil : "n\(2 + randomness.below(3))"
            (step["after"], step["number"]) = (after.orNull, time)
            record.move(after: after, number: time)
        case "discard": step["gives"] = record.discardChange() ? "keep" : "remove"
        case "begin":
            actions += 1
            step["id"] = "a\(actions)"
            let begun = record.beginAction(id: "a\(actions)")
            step["gives"] = begun.json(\.json)
            if let begun { step["sends"] = WireAction(begun, of: record).json }
        case "outcome":
            // The outcome sometimes belongs to an earlier action.
            let id = "a\(max(1, actions - (randomness.below(8) == 0 ? 1 : 0)))"
            let outcome = outcome()
            (step["id"], step["outcome"]) = (id, outcome.json)
            step["gives"] = record.receive(outcome, ofAction: id).word
        case "change":
            let change = change(text: randomness.below(4) == 0 ? nil : text(instead: record.shadow?.text))
            step["change"] = change.json
            record.receive(change)
        case "forget":
            // Forget all history, or the history before this lineage, or the history before another lineage.
            let lineage = [nil, "k3f9", "other"][randomness.below(3)]
            step["before"] = lineage.orNull
            record.forgetHistory(before: lineage)
        case "leave": if record.mayLeaveList { record.leaveList() }
        default: if record.mayLeaveList { record.stayInList() }
        }
        step["then"] = changedMembers()
        return step
    }

    /// Returns the record's changed members.
    private mutating func changedMembers() -> [String: Any] {
        let json = record.json
        defer { known = json }
        return json.filter { name, value in
            guard let before = known[name] else { return true }
            return try! [name: before].canonical() != [name: value].canonical()
        }
    }

    /// Returns a text with another body, other tags or another pin.
    private mutating func text(instead old: StoredNote.Text?) -> StoredNote.Text {
        var text = old ?? StoredNote.Text(title: "Saturday")
        let part = randomness.below(6)
        if part < 4 {
            let count = randomness.below(4)
            text.body = (0..<count).map { _ in Self.lines[randomness.below(Self.lines.count)] }.joined(separator: "\n")
            if randomness.below(5) == 0 { text.title += "!" }
        }
        if part > 2 {
            for _ in 0...randomness.below(3) {
                let tag = Self.tags[randomness.below(Self.tags.count)]
                let remainingTags = NoteTags.without(text.tags, [tag])
                text.tags = remainingTags.count < text.tags.count ? remainingTags : remainingTags + [tag]
            }
            if randomness.below(3) == 0 { text.isPinned.toggle() }
        }
        return text
    }

    private mutating func change(text: StoredNote.Text?) -> NoteRecord.RemoteChange {
        // The change is sometimes an old one.
        if randomness.below(6) > 0 { revision += 1 }
        let position = text == nil || randomness.below(4) == 0 ? nil : "a\(randomness.below(9))"
        return NoteRecord.RemoteChange(
            cursor: Cursor(revision: revision, lineage: "k3f9"), text: text, position: position)
    }

    private mutating func outcome() -> NoteRecord.ActionOutcome {
        if randomness.below(record.pendingAction?.kind == .update ? 2 : 3) == 0 {
            let type = Self.problems[randomness.below(Self.problems.count)]
            return .rejected(StoredNote.Problem(type: type, detail: "The server says why."))
        }
        if randomness.below(6) > 0 { revision += 1 }
        var state = NoteRecord.ServerState(cursor: Cursor(revision: revision, lineage: "k3f9"))
        if randomness.below(2) == 0 { state.text = text(instead: record.pendingAction?.text) }
        state.isInTrash = randomness.below(4) == 0
        state.isPurged = randomness.below(12) == 0
        return .accepted(state)
    }
}

/// A SplitMix64 generator, which yields the same numbers for a seed on every platform.
private struct SeededRandomness {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func below(_ end: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(end))
    }
}

extension Dictionary where Key == String, Value == Any {
    /// Returns the same bytes for equal JSON.
    fileprivate func canonical() throws -> [UInt8] {
        Array(try JSONSerialization.data(withJSONObject: self, options: [.sortedKeys, .withoutEscapingSlashes]))
    }
}

extension Optional {
    fileprivate func json(_ write: (Wrapped) -> Any) -> Any { map(write) ?? NSNull() }

    fileprivate var orNull: Any { json { $0 } }
}

extension StoredNote.Text {
    fileprivate var json: [String: Any] { ["title": title, "body": body, "tags": tags, "pinned": isPinned] }
}

extension Cursor {
    fileprivate var json: [String: Any] { ["revision": revision, "lineage": lineage ?? ""] }
}

extension NoteRecord.Disposition {
    fileprivate var word: String { self == .keep ? "keep" : "remove" }
}

extension NoteRecord.RemoteChange {
    fileprivate var json: [String: Any] {
        ["cursor": cursor.json, "text": text.json(\.json), "position": position.orNull]
    }
}

extension NoteRecord.PendingAction {
    fileprivate var json: [String: Any] {
        [
            "id": id, "kind": kind.rawValue, "text": text.json, "after": after.orNull,
            "moveNumber": moveNumber.orNull,
        ]
    }
}

extension WireAction {
    /// The action in the format of the request.
    fileprivate var json: Any { try! JSONSerialization.jsonObject(with: Data(try! bytes)) }
}

extension NoteRecord.ActionOutcome {
    fileprivate var json: [String: Any] {
        switch self {
        case .accepted(let state):
            [
                "kind": "accepted", "cursor": state.cursor.json, "text": state.text.json(\.json),
                "isInTrash": state.isInTrash, "isPurged": state.isPurged,
            ]
        case .rejected(let problem):
            ["kind": "rejected", "problem": ["type": problem.type, "detail": problem.detail]]
        }
    }
}

extension NoteRecord {
    /// The record in the page's format, including derived values.
    fileprivate var json: [String: Any] {
        [
            "id": id, "text": text.json, "place": "\(place)", "position": position.orNull, "createdAt": createdAt,
            "updatedAt": updatedAt, "shadow": shadow.json { ["text": $0.text.json, "cursor": $0.cursor.json] },
            "isInServersTrash": isInServersTrash, "lastReceived": lastReceived, "action": pendingAction.json(\.json),
            "waiting": deferredChange.json(\.json),
            "move": pendingMove.json {
                ["number": $0.number, "after": $0.after.orNull, "acknowledged": $0.acknowledged.orNull]
            },
            "problem": problem.json { ["type": $0.type, "detail": $0.detail] }, "spellsBase": spellsBase,
            "next": nextAction.json(\.rawValue), "mayLeaveList": mayLeaveList, "status": status.word,
        ]
    }
}

extension StoredNote.Status {
    fileprivate var word: String {
        switch self {
        case .onThisDevice: "onThisDevice"
        case .onServer: "onServer"
        case .needsAttention: "needsAttention"
        }
    }
}
