import AlmanacClient
import AlmanacJSON
import Testing

@testable import AlmanacCommand

@Suite struct ForecastTextTests {
    @Test func `a forecast is a line for the version, and one for each major that keeps something`() throws {
        let document: JSONValue = [
            "bump": "major", "version": "3.0.0", "current_version": "2.4.1",
            "changes": .array(
                ["a", "b", "c", "d"].map { ["key": .string($0), "bump": "major", "reason": "removed"] }),
            "majors": [
                ["major": 1, "keeps": [["key": "a", "value": 1]]],
                ["major": 2, "keeps": .array(["a", "b", "c", "d"].map { ["key": .string($0), "value": 1] })],
            ],
        ]
        #expect(
            ConfigForecast(try #require(document.objectValue)).text == """
                version 3.0.0, now 2.4.1: a is removed, b is removed, c is removed and 1 more
                builds that pin major 1 keep what was: a
                builds that pin major 2 keep what was: a, b, c and 1 more

                """)
        #expect(ConfigForecast(JSONObject([("bump", "none"), ("changes", [])])).text == "")
    }

    @Test func `builds that keep old values of keys set again are named once for all keys`() {
        #expect(
            KeptValues.warning(of: ["a"], ["1"])
                == "builds that pin major 1 keep the old value of a")
        #expect(
            KeptValues.warning(of: ["a", "b", "c", "d", "e", "f"], ["1", "2"])
                == "builds that pin the majors 1, 2 keep the old values of a, b, c, d, e and 1 more")
    }
}
