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

    /// Flags whose names, values and descriptions contain marks of a language, and numbers of every size.
    private static let unusualManifest = """
        {"flags": [
          {"key": "class", "type": "string", "defaultValue": "wide", "description": "/* one */ ${e} /*/ */*"},
          {"key": "client", "type": "boolean", "defaultValue": true},
          {"key": "far", "type": "integer", "defaultValue": 5000000000},
          {"key": "home/banner", "type": "string", "defaultValue": "Übersicht — 日本語 $name ${1 + 1}\\u2028\\t"},
          {"key": "list", "type": "object", "defaultValue": ["$a", null, true, 1.5, -2147483648, 5000000000, {}]},
          {"key": "price$", "type": "float", "defaultValue": 9.50},
          {"key": "py.title", "type": "string", "defaultValue": "Ready?"},
          {"key": "to-string", "type": "string", "defaultValue": "*/"}
        ]}
        """

    private static func source(_ text: String) throws -> FlagKeysGenerator {
        FlagKeysGenerator(
            origin: "production", manifest: try #require(try JSONValue(parsing: Array(text.utf8)).objectValue))
    }

    @Test func `the source is the one that is compiled with the tests`() throws {
        let source = try Self.source(Self.manifest)
        try GeneratedFile("Tests/Apps/AlmanacFlagsTests/GeneratedFlagKeys.swift").expect(source.text(in: .swift))
        #expect(source.skippedKeys == ["unknown"])
    }

    @Test(arguments: [
        (KeyLanguage.typescript, "Tests/Web/generated/FlagKeys.ts"),
        (.kotlin, "Tests/Generators/kotlin/FlagKeys.kt"),
    ])
    func `the source in another language is the one that a check compiles`(language: KeyLanguage, path: String) throws {
        let flags = try [Self.manifest, Self.unusualManifest].flatMap { text in
            try #require(try JSONValue(parsing: Array(text.utf8)).objectValue?["flags"]?.arrayValue)
        }
        let source = FlagKeysGenerator(origin: "production", manifest: JSONObject([("flags", .array(flags))]))
        try GeneratedFile(path).expect(source.text(in: language))
    }

    @Test func `the order of a manifest and its form make no difference`() throws {
        let flags = try #require(try JSONValue(parsing: Array(Self.manifest.utf8)).objectValue?["flags"]?.arrayValue)
        let reversed: JSONObject = JSONObject([("flags", .array(flags.reversed()))])
        let members = flags.compactMap(\.objectValue).map { flag in
            let memberFields = flag.removing("key").members.map { ($0.name == "type" ? "flagType" : $0.name, $0.value) }
            return (name: flag["key"]?.stringValue ?? "", value: JSONValue.object(JSONObject(memberFields)))
        }
        let kept = JSONObject([("flags", .object(JSONObject(members)))])
        let text = try Self.source(Self.manifest).text(in: .swift)
        #expect(FlagKeysGenerator(origin: "production", manifest: reversed).text(in: .swift) == text)
        #expect(FlagKeysGenerator(origin: "production", manifest: kept).text(in: .swift) == text)
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
        let text = source.text(in: .swift)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(text.contains(#"FlagKey<String>("a\u{a}b\"\\(c)", default: "#))
        #expect(lines.filter { $0.contains("two") } == ["    /// two"])
        #expect(lines.contains("// The flags of a b."))
    }

    @Test func `a manifest without flags is a file without keys`() throws {
        #expect(try Self.source("{}").text(in: .swift).contains("nonisolated extension FlagKeys {\n\n}"))
    }
}
