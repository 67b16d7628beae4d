import AlmanacClient
import AlmanacJSON
import AlmanacTestSupport
import Foundation
import Testing

@Suite struct ConfigKeysGeneratorTests {
    private static let entries = [
        DescribedEntry(key: "app.background.color", value: "#FFB6C1", description: "Behind the button.\nIn sRGB."),
        DescribedEntry(key: "app.fun_button.text", value: "Meeeeoowwww! 😸 \"\\(now)\"\n", description: ""),
        DescribedEntry(key: "app.fun_button.url", value: "https://www.example.com/a?b=c", description: ""),
        DescribedEntry(key: "app.is_new", value: true, description: ""),
        DescribedEntry(
            key: "app.limits",
            value: json(
                """
                {"max": 3, "back-off": {"one": 1, "steps": [1, 2.5]},
                 "hosts": [{"name": "a", "port": 80}, {"name": "b"}]}
                """), description: "How often."),
        DescribedEntry(key: "app.mixed", value: [1, "two", ["three": .null]], description: ""),
        DescribedEntry(key: "app.nulls", value: [1, .null], description: ""),
        DescribedEntry(key: "app.retries", value: 3, description: ""),
        DescribedEntry(key: "app.timeout", value: json("30.0"), description: ""),
        DescribedEntry(key: "app_timeout", value: [], description: "Almost the same."),
        DescribedEntry(key: "default", value: "d", description: ""),
        DescribedEntry(key: "string", value: ["a": 1], description: ""),
    ]

    /// Entries whose names, values and descriptions contain marks of a language, and numbers of every size.
    private static let unusualEntries = [
        DescribedEntry(key: "2fa", value: true, description: ""),
        DescribedEntry(
            key: "a */ \"b\" 'c' \\ `d` ${e}\u{2028}é", value: "/*/ $name ${1 + 1}\u{2028}\t\u{202e}",
            description: "/* one */ `d` ${e} /*/ */*"),
        DescribedEntry(key: "app.hosts", value: ["a.example.com", "$b", "https://c.example.com/*"], description: ""),
        DescribedEntry(key: "class", value: "wide", description: ""),
        DescribedEntry(
            key: "constructor", value: json(#"{"__proto__": {"class": [[], {}, [null]], "price$": 1.0}}"#),
            description: ""),
        DescribedEntry(key: "empty", value: json("{}"), description: ""),
        DescribedEntry(key: "get", value: "GET", description: ""),
        DescribedEntry(key: "greeting", value: "Hello", description: "Above the list."),
        DescribedEntry(key: "grid", value: json("[[1], [], [2, 3]]"), description: ""),
        DescribedEntry(key: "hash-code", value: 7, description: ""),
        DescribedEntry(key: "home/banner", value: "Übersicht — 日本語", description: ""),
        DescribedEntry(key: "int", value: json("-2147483648"), description: ""),
        DescribedEntry(key: "list-of", value: json("[1, 5000000000]"), description: ""),
        DescribedEntry(key: "long", value: json("-9223372036854775808"), description: "The smallest."),
        DescribedEntry(key: "major", value: 1, description: ""),
        DescribedEntry(key: "map-of", value: json(#"{"sizes": [1, 3000000000], "on": true}"#), description: ""),
        DescribedEntry(key: "nothing", value: .null, description: ""),
        DescribedEntry(
            key: "numbers", value: json("[9007199254740993, 1e-7, -1.5e308, 12345678901234567890]"), description: ""),
        DescribedEntry(key: "price$", value: json("9.50"), description: ""),
        DescribedEntry(key: "py.title", value: "Ready?", description: ""),
        DescribedEntry(key: "read", value: json("1606642165000"), description: "A time in milliseconds."),
        DescribedEntry(key: "to", value: "you", description: ""),
        DescribedEntry(key: "日本", value: false, description: "日本"),
    ]

    private static func json(_ text: String) -> JSONValue { (try? JSONValue(parsing: Array(text.utf8))) ?? .null }

    private static let majors = [
        KeptMajor(major: 1, version: "1.4.0", isCurrent: false, keeps: ["app.timeout", "app.old"]),
        KeptMajor(major: 2, version: "2.3.1", isCurrent: true, keeps: []),
    ]

    @Test func `the source is the one that is compiled with the tests`() throws {
        let source = ConfigKeysGenerator(
            environment: "production", version: "2.3.1", entries: Self.entries, majors: Self.majors)
        try GeneratedFile("Tests/Apps/AlmanacConfigTests/GeneratedKeys.swift").expect(source.text(in: .swift))
    }

    @Test(arguments: [
        (KeyLanguage.typescript, "Tests/Web/generated/ConfigKeys.ts"),
        (.kotlin, "Tests/Generators/kotlin/ConfigKeys.kt"),
    ])
    func `the source in another language is the one that a check compiles`(language: KeyLanguage, path: String) throws {
        let source = ConfigKeysGenerator(
            environment: "production", version: "2.3.1", entries: Self.entries + Self.unusualEntries,
            majors: Self.majors)
        try GeneratedFile(path).expect(source.text(in: language))
    }

    @Test func `an older major's keys say which of them nobody else sees`() {
        let source = ConfigKeysGenerator(
            environment: "production", version: "1.4.0",
            entries: [DescribedEntry(key: "app.old", value: 1, description: "Old.")], majors: Self.majors)
        #expect(
            source.text(in: .swift).contains(
                """
                    /// Old.
                    ///
                    /// `app.old`
                    ///
                    /// Only builds of major 1 see it: the newest config has no key of this type.
                    static let appOld = ConfigKey("app.old", default: 1)
                """), "\(source.text(in: .swift))")
    }

    @Test func `the majors and the descriptions are asked for`() throws {
        let server = try ScriptedServer { path in
            switch path {
            case "/staging/majors":
                .response(
                    body: """
                        [{"major":1,"version":"1.4.0","released_revision":1,"current":false,"keeps":["a"],
                        "last_asked_at":null,"retired_at":null},
                        {"major":2,"version":"2.0.0","released_revision":3,"current":true,"keeps":[],
                        "last_asked_at":null,"retired_at":null},
                        {"major":0,"version":"0.1.0","released_revision":3,"current":false,"keeps":["a"],
                        "last_asked_at":null,"retired_at":"2020-10-18T09:00:00.000Z"}]
                        """.utf8)
            case "/staging/config.json?version=1": .response(body: #"{"b":1,"a":"x"}"#.utf8)
            case "/staging/config/a?version=1": .response(body: #"{"key":"a","value":"x","description":"A."}"#.utf8)
            default: .response("404 Not Found", body: "{}".utf8)
            }
        }
        let remote = try RemoteEnvironment(Profile(url: server.base, environment: "staging"))
        let majors = try remote.majors()
        #expect(majors.map(\.major) == [1, 2])
        #expect(majors[0].keeps("a") && !majors[0].keeps("b") && !majors[1].keeps("a"))
        let entries = try remote.describedEntries(version: "1").entries
        #expect(entries.map(\.key) == ["a", "b"])
        #expect(entries.map(\.description) == ["A.", ""])
    }
}
