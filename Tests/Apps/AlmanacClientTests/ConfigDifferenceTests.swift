import AlmanacClient
import AlmanacJSON
import Testing

@Suite struct ConfigDifferenceTests {
    private func object(_ value: JSONValue) throws -> JSONObject { try #require(value.objectValue) }

    @Test func `the patch of a difference makes the one config of the other`() throws {
        let before = try object(["a": 1, "b": ["x": 1, "y": 2], "c": [1], "gone": true])
        let after = try object(["a": "1", "b": ["x": 1, "z": ["n": 1]], "c": [1], "new": "é"])
        let difference = ConfigDifference(from: before, to: after)
        #expect(difference.changes.map(\.key) == ["a", "b", "gone", "new"])
        #expect(JSONValue.object(before).merging(try difference.patch()) == .object(after))
    }

    @Test func `keys that the other config doesn't have may be left alone`() throws {
        let before = try object(["a": 1, "b": 2])
        let after = try object(["a": 3])
        let difference = ConfigDifference(from: before, to: after, keepsMissingKeys: true)
        #expect(JSONValue.object(before).merging(try difference.patch()) == ["a": 3, "b": 2])
    }

    @Test func `texts that only look alike differ`() throws {
        let difference = ConfigDifference(from: try object(["a": "\u{E9}"]), to: try object(["a": "e\u{301}"]))
        #expect(difference.changes.count == 1)
        #expect(ConfigDifference(from: try object(["a": 1]), to: try object(["a": 1])).isEmpty)
    }

    @Test func `a member that is to become null is said to be impossible, not lost`() throws {
        let difference = ConfigDifference(from: try object(["a": ["b": 1]]), to: try object(["a": ["b": .null]]))
        let failure = try #require(throws: CallFailure.self) { try difference.patch() }
        #expect(failure.description.hasSuffix(": a"))
    }

    @Test func `a difference fits a config in which others have changed other keys`() throws {
        let difference = ConfigDifference(from: try object(["a": 1, "gone": 1]), to: try object(["a": 2, "new": 3]))
        #expect(difference.fits(try object(["a": 1, "gone": 1, "other": 4])))
        for moved in [["a": 5, "gone": 1], ["a": 1], ["a": 1, "gone": 1, "new": 4]] as [JSONValue] {
            #expect(!difference.fits(try object(moved)), "\(moved)")
        }
    }

    @Test func `only the keys that are named are left of a difference`() throws {
        let difference = ConfigDifference(from: JSONObject([]), to: try object(["a": 1, "b": 2, "c": 3]))
        #expect(difference.limited(to: ["b", "d"]).changes.map(\.key) == ["b"])
    }
}
