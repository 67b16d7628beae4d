import AlmanacJSON
import Testing

@testable import AlmanacCommand

@Suite struct NestedConfigTests {
    private func object(_ value: JSONValue) throws -> JSONObject { try #require(value.objectValue) }

    @Test func `a nested export becomes the config that it was made of`() throws {
        let config = try object(["app.limits": ["retries": 3], "app.theme": "dark", "app.ui.dark": true, "empty": [:]])
        let nested = try object([
            "app": ["limits": ["retries": 3], "theme": "dark", "ui": ["dark": true]], "empty": [:],
        ])
        let found = try NestedConfig.flattened(nested, known: config, "file")
        #expect(JSONValue.object(found) == .object(config))
        // If no keys are known, objects are levels of nesting.
        let apart = try NestedConfig.flattened(nested, known: JSONObject([]), "file")
        #expect(apart["app.limits.retries"] == 3)
        #expect(apart["empty"] == [:])
        // The server shows keys side by side if one is a prefix of another.
        let beside = try NestedConfig.flattened(try object(["app": 1, "app.x": 2]), known: JSONObject([]), "file")
        #expect(beside["app"] == 1 && beside["app.x"] == 2)
    }

    @Test func `a null, or a name that no key has, is named with its place`() throws {
        for wrong in [["a": ["b": .null]], ["a": ["ä": 1]], ["a": ["b c": ["d": 1]]]] as [JSONValue] {
            let failure = #expect(throws: CommandFailure.self) {
                try NestedConfig.flattened(try object(wrong), known: JSONObject([]), "file")
            }
            #expect(failure?.description.hasPrefix("file: 'a.") == true)
        }
    }

    @Test(
        arguments: [
            (["app": ["theme": "dark"]], ["app.theme": "light"], "app"),
            (["app": ["theme": "dark"]], [:], "app"),
            (["x": 1, "app": ["theme": "dark"]], ["app.other": 1, "x": 1], "app"),
            (["app": ["theme": "dark"]], ["app": [:], "app.theme": 1], nil),
            (["deep": ["a": 1], "big": 1], ["other": 1, "text": "old"], nil),
            (["app.limits": ["retries": 3]], [:], nil), (["limits": [:]], [:], nil),
            (["limits": ["a": 1]], ["app.theme": 1], nil),
        ] as [(JSONValue, JSONValue, String?)])
    func `an object that looks nested is suspected`(values: JSONValue, known: JSONValue, name: String?) throws {
        #expect(NestedConfig.suspicion(try object(values), known: try object(known)) == name)
    }
}
