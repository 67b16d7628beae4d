import AlmanacJSON
import AlmanacTimestamps
import Testing

@testable import AlmanacConfigDomain

@Suite struct ReleasePlanTests {

    /// Returns the rows of the key `a`, each with its majors and its value. A nil value makes a tombstone.
    private func rows(_ rows: (majors: MajorRange, value: JSONValue?)..., description: String = "") -> [Entry] {
        rows.enumerated().map { index, row in
            Entry(
                id: Int64(index + 1), key: "a", majors: row.majors, value: row.value?.serialized(),
                description: description, revision: 1, updatedAt: Timestamp(milliseconds: 0))
        }
    }

    private func row(_ value: JSONValue?, from major: Int, _ description: String = "") -> [Entry] {
        rows((MajorRange(first: major), value), description: description)
    }

    private func plan(
        _ value: JSONValue?, over rows: [Entry], description: String? = nil, at major: Int, oldest: Int = 1,
        withheld: Set<Int> = []
    ) throws -> ReleasePlan {
        try ReleasePlan(
            [EntryEdit(key: "a", value: value, description: description)], rows: rows,
            version: SemanticVersion(major: major, minor: 4, patch: 2), oldestMajor: oldest,
            withheld: ["a": Dictionary(uniqueKeysWithValues: withheld.map { ($0, "'a': a fault") })])
    }

    /// Returns the writes of a plan in short form: `resize 1[1,2), insert [2,)=1`.
    private func writes(_ plan: ReleasePlan) -> String {
        let deletes = plan.deleted.map { "delete \($0)" }
        let resizes = (plan.shrunk + plan.grown).map { "resize \($0.row)\($0.majors.text)" }
        let copies = plan.copies.map { "copy \($0.row)\($0.majors.text)" }
        let inserts = plan.inserts.map { "insert \($0.majors.text)=\($0.text ?? "gone")" }
        let updates = plan.updates.map { "update \($0.row!)\($0.majors.text)=\($0.text ?? "gone")" }
        return (deletes + resizes + copies + inserts + updates).joined(separator: ", ")
    }

    @Test func `a new key is seen by every major that is not retired`() throws {
        let plan = try plan(1, over: [], at: 3, oldest: 2)
        #expect(writes(plan) == "insert [2,)=1")
        #expect("\(plan.version)" == "3.5.0")
        #expect(plan.growth == 1)
        #expect(plan.receivers == [[MajorRange(first: 2)]])
    }

    @Test func `a compatible change updates the row for every major that sees it`() throws {
        let plan = try plan(2, over: row(1, from: 1), at: 3)
        #expect(writes(plan) == "update 1[1,)=2")
        #expect("\(plan.version)" == "3.4.3")
        #expect(plan.growth == 0)
        #expect(plan.receivers == [[MajorRange(first: 1)]])
    }

    @Test func `a new member inside an object is compatible and a minor change`() throws {
        let plan = try plan(["m": 1, "n": 2], over: row(["m": 1], from: 1), at: 3)
        #expect(writes(plan) == #"update 1[1,)={"m":1,"n":2}"#)
        #expect("\(plan.version)" == "3.5.0")
    }

    @Test func `a retyped value leaves the row to the earlier majors and makes one for the new major`() throws {
        let plan = try plan("one", over: row(1, from: 1), at: 3)
        #expect(writes(plan) == #"resize 1[1,4), insert [4,)="one""#)
        #expect("\(plan.version)" == "4.0.0")
        #expect(plan.growth == 0)
        #expect(plan.receivers == [[MajorRange(first: 4)]])
    }

    @Test func `a removed key leaves the row to the earlier majors and makes a tombstone for the new major`() throws {
        let plan = try plan(nil, over: row(1, from: 3, "words"), at: 3)
        #expect(writes(plan) == "resize 1[3,4), insert [4,)=gone")
        #expect("\(plan.version)" == "4.0.0")
        #expect(plan.growth == -1)
        #expect(plan.changes.first?.description == "")
    }

    @Test func `a key added again is seen by all majors that do not have it`() throws {
        let plan = try plan(5, over: rows((MajorRange(first: 2, end: 4), "x"), (MajorRange(first: 4), nil)), at: 6)
        #expect(writes(plan) == "insert [1,2)=5, update 2[4,)=5")
        #expect("\(plan.version)" == "6.5.0")
        #expect(plan.growth == 1)
        #expect(plan.receivers == [[MajorRange(first: 1, end: 2), MajorRange(first: 4)]])
    }

    @Test func `a key added again after a purge is seen by all majors`() throws {
        #expect(writes(try plan(5, over: row(nil, from: 1), at: 2)) == "update 1[1,)=5")
    }

    @Test func `a value of the first type reaches the majors from before a slip again`() throws {
        let rows = rows(
            (MajorRange(first: 1, end: 2), "a"), (MajorRange(first: 2, end: 3), 5), (MajorRange(first: 3), "a"))
        let plan = try plan("b", over: rows, at: 3)
        #expect(writes(plan) == #"update 1[1,2)="b", update 3[3,)="b""#)
        #expect(plan.receivers == [[MajorRange(first: 1, end: 2), MajorRange(first: 3)]])
    }

    @Test func `adjacent majors that receive a change share a row`() throws {
        let rows = rows(
            (MajorRange(first: 3, end: 4), 1), (MajorRange(first: 4, end: 5), nil), (MajorRange(first: 5), 2))
        #expect(writes(try plan(7, over: rows, at: 5)) == "delete 1, delete 2, resize 3[1,), update 3[1,)=7")
    }

    @Test func `a row of which some majors must keep their value is divided`() throws {
        let rows = row(1, from: 1)
        #expect(
            writes(try plan(7, over: rows, at: 5, withheld: [2, 4]))
                == "resize 1[2,3), copy 1[4,5), insert [1,2)=7, insert [3,4)=7, insert [5,)=7")
        #expect(writes(try plan(7, over: [], at: 3, withheld: [2])) == "insert [1,2)=7, insert [3,)=7")
    }

    @Test func `a description alone is a patch`() throws {
        let plan = try plan(1, over: row(1, from: 2, "old"), description: "new", at: 3)
        #expect(writes(plan) == "resize 1[1,), update 1[1,)=1")
        #expect("\(plan.version)" == "3.4.3")
        #expect(plan.updates.first?.description == "new")
    }

    @Test func `a value without a description keeps the one there is, and an empty one takes it away`() throws {
        let rows = row(1, from: 2, "old")
        #expect(try plan(2, over: rows, at: 3).updates.first?.description == "old")
        #expect(try plan("2", over: rows, at: 3).inserts.first?.description == "old")
        #expect(try plan(1, over: rows, description: "", at: 3).updates.first?.description == "")
    }

    @Test func `descriptions that differ only in their normal form differ`() throws {
        #expect(try !plan(1, over: row(1, from: 1, "é"), description: "e\u{301}", at: 1).changes.isEmpty)
    }

    @Test func `edits that ask for what is there already make no release`() throws {
        for plan in [
            try plan(1, over: row(1, from: 1), at: 3),
            try plan(1, over: row(1, from: 1, "d"), description: "d", at: 3),
            try plan(nil, over: row(nil, from: 2), at: 3),
            try plan(nil, over: [], at: 3),
            try plan(["m": 1, "n": 2], over: row(["n": 2, "m": 1], from: 1), at: 3),
        ] {
            #expect(plan.changes.isEmpty)
            #expect(writes(plan) == "")
            #expect("\(plan.version)" == "3.4.2")
        }
    }

    @Test func `the largest change decides the version`() throws {
        let rows = ["kept", "gone"].enumerated().map { index, key in
            Entry(
                id: Int64(index + 1), key: key, majors: MajorRange(first: 1), value: Array("1".utf8), description: "",
                revision: 1, updatedAt: Timestamp(milliseconds: 0))
        }
        let plan = try ReleasePlan(
            [
                EntryEdit(key: "new", value: true, description: nil),
                EntryEdit(key: "kept", value: 2, description: nil),
                EntryEdit(key: "gone", value: nil, description: nil),
            ], rows: rows, version: SemanticVersion(major: 1, minor: 0, patch: 0), oldestMajor: 1)
        #expect("\(plan.version)" == "2.0.0")
        #expect(writes(plan) == "resize 2[1,2), insert [1,)=true, insert [2,)=gone, update 1[1,)=2")
        #expect(plan.changes.map(\.key) == ["new", "kept", "gone"])
        #expect(plan.receivers == [[MajorRange(first: 1)], [MajorRange(first: 1)], [MajorRange(first: 2)]])
        #expect(plan.growth == 0)
    }
}
