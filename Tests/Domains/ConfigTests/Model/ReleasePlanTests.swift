import AlmanacJSON
import AlmanacTimestamps
import Testing

@testable import AlmanacConfigDomain

@Suite struct ReleasePlanTests {

    /// Returns the newest row of a key. A nil value makes a tombstone.
    private func row(_ key: String, _ value: JSONValue?, from major: Int, _ description: String = "") -> [String: Entry]
    {
        [
            key: Entry(
                id: 1, key: key, firstMajor: major, endMajor: nil, value: value?.serialized(), description: description,
                revision: 1, updatedAt: Timestamp(milliseconds: 0))
        ]
    }

    private func plan(
        _ value: JSONValue?, over newest: [String: Entry], description: String? = nil, at major: Int
    ) throws -> ReleasePlan {
        try ReleasePlan(
            [EntryEdit(key: "a", value: value, description: description)], newest: newest,
            version: SemanticVersion(major: major, minor: 4, patch: 2))
    }

    /// Returns the writes of a plan in short form: `close a<2, insert a@2=1`.
    private func writes(_ plan: ReleasePlan) -> String {
        let closes = plan.rowEnds.map { "close \($0.key)<\($0.major)" }
        let inserts = plan.inserts.map { "insert \($0.key)@\($0.firstMajor)=\($0.text ?? "gone")" }
        let updates = plan.updates.map { "update \($0.key)@\($0.firstMajor)=\($0.text ?? "gone")" }
        return (closes + inserts + updates).joined(separator: ", ")
    }

    @Test func `a new key is a row from the current major on`() throws {
        let plan = try plan(1, over: [:], at: 3)
        #expect(writes(plan) == "insert a@3=1")
        #expect("\(plan.version)" == "3.5.0")
        #expect(plan.growth == 1)
        #expect(plan.firstMajors == [3])
    }

    @Test func `a compatible change updates the row for every major that sees it`() throws {
        let plan = try plan(2, over: row("a", 1, from: 1), at: 3)
        #expect(writes(plan) == "update a@1=2")
        #expect("\(plan.version)" == "3.4.3")
        #expect(plan.growth == 0)
        #expect(plan.firstMajors == [1])
    }

    @Test func `a new member inside an object is compatible and a minor change`() throws {
        let plan = try plan(["m": 1, "n": 2], over: row("a", ["m": 1], from: 1), at: 3)
        #expect(writes(plan) == #"update a@1={"m":1,"n":2}"#)
        #expect("\(plan.version)" == "3.5.0")
    }

    @Test func `a retyped value closes the row and opens one at the new major`() throws {
        let plan = try plan("one", over: row("a", 1, from: 1), at: 3)
        #expect(writes(plan) == #"close a<4, insert a@4="one""#)
        #expect("\(plan.version)" == "4.0.0")
        #expect(plan.growth == 0)
        #expect(plan.firstMajors == [4])
    }

    @Test func `a removed key closes the row and opens a tombstone at the new major`() throws {
        let plan = try plan(nil, over: row("a", 1, from: 3, "words"), at: 3)
        #expect(writes(plan) == "close a<4, insert a@4=gone")
        #expect("\(plan.version)" == "4.0.0")
        #expect(plan.growth == -1)
        #expect(plan.changes.first?.description == "")
    }

    @Test func `a key added again within the major that removed it takes the place of its tombstone`() throws {
        let plan = try plan(5, over: row("a", nil, from: 4), at: 4)
        #expect(writes(plan) == "update a@4=5")
        #expect("\(plan.version)" == "4.5.0")
        #expect(plan.growth == 1)
    }

    @Test func `a key added again in a later major leaves the tombstone to the majors between`() throws {
        let plan = try plan(5, over: row("a", nil, from: 4), at: 6)
        #expect(writes(plan) == "close a<6, insert a@6=5")
        #expect("\(plan.version)" == "6.5.0")
    }

    @Test func `a key added again after a purge leaves the tombstone to the majors before`() throws {
        let plan = try plan(5, over: row("a", nil, from: 1), at: 2)
        #expect(writes(plan) == "close a<2, insert a@2=5")
        #expect(writes(try self.plan(5, over: row("a", nil, from: 1), at: 1)) == "update a@1=5")
    }

    @Test func `a description alone is a patch`() throws {
        let plan = try plan(1, over: row("a", 1, from: 2, "old"), description: "new", at: 3)
        #expect(writes(plan) == "update a@2=1")
        #expect("\(plan.version)" == "3.4.3")
        #expect(plan.updates.first?.description == "new")
    }

    @Test func `a value without a description keeps the one there is, and an empty one takes it away`() throws {
        let newest = row("a", 1, from: 2, "old")
        #expect(try plan(2, over: newest, at: 3).updates.first?.description == "old")
        #expect(try plan("2", over: newest, at: 3).inserts.first?.description == "old")
        #expect(try plan(1, over: newest, description: "", at: 3).updates.first?.description == "")
    }

    @Test func `descriptions that differ only in their normal form differ`() throws {
        #expect(try !plan(1, over: row("a", 1, from: 1, "é"), description: "e\u{301}", at: 1).changes.isEmpty)
    }

    @Test func `edits that ask for what is there already make no release`() throws {
        for plan in [
            try plan(1, over: row("a", 1, from: 1), at: 3),
            try plan(1, over: row("a", 1, from: 1, "d"), description: "d", at: 3),
            try plan(nil, over: row("a", nil, from: 2), at: 3),
            try plan(nil, over: [:], at: 3),
            try plan(["m": 1, "n": 2], over: row("a", ["n": 2, "m": 1], from: 1), at: 3),
        ] {
            #expect(plan.changes.isEmpty)
            #expect(writes(plan) == "")
            #expect("\(plan.version)" == "3.4.2")
        }
    }

    @Test func `the largest change decides the version, and what is added begins at it`() throws {
        let newest = row("kept", 1, from: 1).merging(row("gone", 1, from: 1)) { first, _ in first }
        let plan = try ReleasePlan(
            [
                EntryEdit(key: "new", value: true, description: nil),
                EntryEdit(key: "kept", value: 2, description: nil),
                EntryEdit(key: "gone", value: nil, description: nil),
            ], newest: newest, version: SemanticVersion(major: 1, minor: 0, patch: 0))
        #expect("\(plan.version)" == "2.0.0")
        #expect(writes(plan) == "close gone<2, insert new@2=true, insert gone@2=gone, update kept@1=2")
        #expect(plan.changes.map(\.key) == ["new", "kept", "gone"])
        #expect(plan.firstMajors == [2, 1, 2])
        #expect(plan.growth == 0)
    }
}
