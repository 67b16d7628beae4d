import AlmanacClient
import AlmanacJSON
import Foundation
import Testing

@Suite struct FlagKeysGeneratorTests {
    private static let manifest = """
        {"flags": [
          {"key": "new-basket", "type": "boolean", "defaultValue": false, "description": "Two steps\\nin one."},
          {"key": "new.basket", "type": "boolean", "defaultValue": true, "description": ""},
          {"key": "new_basket", "type": "boolean", "defaultValue": null},
          {"key": "default", "type": "string", "defaultValue": "a \\"b\\" \\\\(c)\\n"},
          {"key": "init", "type": "string"},
          {"key": "self", "type": "string", "defaultValue": "https://example.com"},
          {"key": "Type", "type": "integer", "defaultValue": 3},
          {"key": "retries", "type": "integer", "defaultValue": -1},
          {"key": "ratio", "type": "float", "defaultValue": 1},
          {"key": "share", "type": "float", "defaultValue": 2.5e-3},
          {"key": "2fa", "type": "boolean", "defaultValue": true},
          {"key": "__", "type": "boolean", "defaultValue": true},
          {"key": "limits", "type": "object", "description": "How often.", "defaultValue":
            {"max": 3, "back-off": {"let": 1, "steps": [1, 2.5]}, "none": null,
             "hosts": [{"name": "a", "port": 80}, {"name": "b", "inout": true}]}},
          {"key": "mixed", "type": "object", "defaultValue": {"all": [1, "two", [null], {"a": 1.0}], "empty": []}},
          {"key": "flag-key", "type": "object", "defaultValue": {"flag-data": "#FFF"}},
          {"key": "empty", "type": "object", "defaultValue": {}},
          {"key": "unknown", "type": "object", "defaultValue": null}
        ]}
        """

    private static func source(_ text: String) throws -> FlagKeysGenerator {
        FlagKeysGenerator(
            origin: "production", manifest: try #require(try JSONValue(parsing: Array(text.utf8)).objectValue))
    }

    /// The file that the tests of AlmanacFlags compile.
    private static let compiled = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "AlmanacFlagsTests/GeneratedFlagKeys.swift")

    @Test func `the source is the one that is compiled with the tests`() throws {
        let source = try Self.source(Self.manifest)
        if ProcessInfo.processInfo.environment["ALMANAC_UPDATE_GENERATED"] != nil {
            try Data(source.text.utf8).write(to: Self.compiled)
        }
        #expect(try String(contentsOf: Self.compiled, encoding: .utf8) == source.text)
        #expect(source.skippedKeys == ["unknown"])
    }

    @Test func `the order of a manifest and its form make no difference`() throws {
        let flags = try #require(try JSONValue(parsing: Array(Self.manifest.utf8)).objectValue?["flags"]?.arrayValue)
        let reversed: JSONObject = JSONObject([("flags", .array(flags.reversed()))])
        let members = flags.compactMap(\.objectValue).map { flag in
            let memberFields = flag.removing("key").members.map { ($0.name == "type" ? "flagType" : $0.name, $0.value) }
            return (name: flag["key"]?.stringValue ?? "", value: JSONValue.object(JSONObject(memberFields)))
        }
        let kept = JSONObject([("flags", .object(JSONObject(members)))])
        let text = try Self.source(Self.manifest).text
        #expect(FlagKeysGenerator(origin: "production", manifest: reversed).text == text)
        #expect(FlagKeysGenerator(origin: "production", manifest: kept).text == text)
    }

    @Test func `a text of a manifest never ends its comment or its literal`() throws {
        let source = FlagKeysGenerator(
            origin: "a\nb",
            manifest: JSONObject([
                (
                    "flags",
                    [
                        [
                            "key": "a\nb\"\\(c)", "type": "string", "defaultValue": "\u{2028}\r\n",
                            "description": "one\r\ntwo\u{2028}three",
                        ]
                    ]
                )
            ]))
        let lines = source.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(source.text.contains(#"FlagKey<String>("a\u{a}b\"\\(c)", default: "#))
        #expect(lines.filter { $0.contains("two") } == ["    /// two"])
        #expect(lines.contains("// The flags of a b."))
    }

    @Test func `a manifest without flags is a file without keys`() throws {
        #expect(try Self.source("{}").text.contains("nonisolated extension FlagKeys {\n\n}"))
    }
}
