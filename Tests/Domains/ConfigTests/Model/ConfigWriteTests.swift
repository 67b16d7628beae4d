import AlmanacJSON
import AlmanacTimestamps
import Testing

@testable import AlmanacConfigDomain

/// Tests the edits of each kind of write, without a database.
@Suite struct ConfigWriteTests {
    private let head = Head(
        lineage: "k3f9", revision: 43, updatedAt: Timestamp(milliseconds: 0),
        version: SemanticVersion(major: 2, minor: 1, patch: 0), oldestRevision: 0, rewrittenRevision: 0)

    private func current(_ values: [String: JSONValue]) -> [String: Entry] {
        Dictionary(
            uniqueKeysWithValues: values.map { key, value in
                let entry = Entry(
                    id: 1, key: key, majors: MajorRange(first: 1), value: value.serialized(), description: "",
                    revision: 1, updatedAt: Timestamp(milliseconds: 0))
                return (key, entry)
            })
    }

    private let edit = EntryEdit(key: "a", value: 2, description: "d")

    @Test func `an entry is created only where there is none`() throws {
        #expect(try ConfigWrite.create(edit).edits(of: [:], at: head) == [edit])
        #expect(throws: ConfigRefusal.entryExists("a", in: head)) {
            try ConfigWrite.create(edit).edits(of: current(["a": 1]), at: head)
        }
    }

    @Test func `an entry is put whether there is one or not, unless only a new one will do`() throws {
        #expect(try ConfigWrite.put(edit).edits(of: [:], at: head) == [edit])
        #expect(try ConfigWrite.put(edit).edits(of: current(["a": 1]), at: head) == [edit])
        #expect(try ConfigWrite.put(edit, where: .absent).edits(of: [:], at: head) == [edit])
        #expect(throws: ConfigRefusal.wouldReplace("a", in: head)) {
            try ConfigWrite.put(edit, where: .absent).edits(of: current(["a": 1]), at: head)
        }
    }

    @Test func `an entry is removed only where there is one`() throws {
        let removal = EntryEdit(key: "a", value: nil, description: nil)
        #expect(try ConfigWrite.remove("a").edits(of: current(["a": 1]), at: head) == [removal])
        #expect(throws: ConfigRefusal.entryNotFound("a", in: head)) {
            try ConfigWrite.remove("a").edits(of: [:], at: head)
        }
    }

    @Test(
        arguments: [
            (["a": 1], ["a": 2], ["a": 2]), (["a": 1], ["a": .null], ["a": nil]), ([:], ["a": .null], ["a": nil]),
            (["a": ["m": 1, "n": 2]], ["a": ["m": .null, "o": 3]], ["a": ["n": 2, "o": 3]]),
            (["a": ["m": 1]], ["a": [.null]], ["a": [.null]]), (["a": 1], ["a": ["m": 1]], ["a": ["m": 1]]),
            ([:], ["a": ["m": .null, "n": 1]], ["a": ["n": 1]]), (["a": 1, "b": 2], ["b": 3], ["b": 3]),
            (["a": 1], [:], [:]),
        ] as [([String: JSONValue], JSONValue, [String: JSONValue?])])
    func `a patch is merged into each value, keeps the descriptions, and removes what it has null for`(
        values: [String: JSONValue], patch: JSONValue, expected: [String: JSONValue?]
    ) throws {
        let write = ConfigWrite.merge(try #require(patch.objectValue))
        let edits = try write.edits(of: current(values), at: head)
        #expect(Dictionary(uniqueKeysWithValues: edits.map { ($0.key, $0.value) }) == expected)
        #expect(edits.map(\.key) == write.keys)
        #expect(edits.allSatisfy { $0.description == nil })
    }

    @Test func `a write names the keys that it may change`() {
        #expect(ConfigWrite.create(edit).keys == ["a"])
        #expect(ConfigWrite.put(edit).keys == ["a"])
        #expect(ConfigWrite.remove("b").keys == ["b"])
        #expect(ConfigWrite.merge(JSONObject([("x", 1), ("y", .null)])).keys == ["x", "y"])
    }
}
