import AlmanacJSON
import AlmanacYAML
import Testing

@Suite struct YAMLReaderTests {
    private func json(_ text: String, _ limits: YAMLReader.Limits = .init()) throws -> [String] {
        try YAMLReader.documents(Array(text.utf8), limits: limits).map(\.description)
    }

    private func failure(_ text: String, _ limits: YAMLReader.Limits = .init()) -> String {
        do throws(YAMLFailure) {
            return "\(try YAMLReader.documents(Array(text.utf8), limits: limits))"
        } catch {
            return error.description
        }
    }

    @Test func `collections, scalars and several documents are read`() throws {
        let text = """
            # flags
            new-ui:
              variations: {on: true, "off": false, 'ñ': ~}
              percentage:
                - on
                - 12.50
                - |
                  two
                  lines
            ---
            [1, -2, +3, .5, 5., 1e3, 0, -0, null, "1", '', yes, no, 2026-11-30, 12:30, 1.2.3, -, .]
            """
        #expect(
            try json(text.replacing(" -, .]", with: " .]")) == [
                #"{"new-ui":{"variations":{"on":true,"off":false,"ñ":null},"percentage":["on",12.50,"#
                    + #""two\nlines\n"]}}"#,
                #"[1,-2,3,0.5,5,1e3,0,-0,null,"1","","yes","no","2026-11-30","12:30","1.2.3","."]"#,
            ])
        #expect(try json("") == [])
        #expect(try json("{}\n...\n") == ["{}"])
        #expect(try json("\u{FEFF}a: 1") == [#"{"a":1}"#])
    }

    @Test(arguments: ["0x1F", "0o17", "017", "0b1", "1_000", "1_0.5", "-.inf", ".NaN", "00", "-01.5"])
    func `a number that not every parser reads alike is refused`(_ scalar: String) throws {
        #expect(failure("a: 1\nb: \(scalar)").hasPrefix("'\(scalar)' is not the same in all versions of YAML"))
        #expect(failure("a: 1\nb: \(scalar)").hasSuffix("(line 2)"))
        #expect(try json("'\(scalar)'") == ["\"\(scalar)\""])
    }

    @Test func `aliases and merge keys are replaced`() throws {
        let text = """
            base: &base {a: 1, b: [x, y]}
            other: &other {b: 2, c: 3}
            flag: {<<: [*base, *other], a: 0}
            list: [*base, *other]
            """
        #expect(
            try json(text) == [
                #"{"base":{"a":1,"b":["x","y"]},"other":{"b":2,"c":3},"flag":{"a":0,"b":["x","y"],"c":3},"#
                    + #""list":[{"a":1,"b":["x","y"]},{"b":2,"c":3}]}"#
            ])
        #expect(failure("a: *b") == "there is no anchor &b before *b (line 1)")
        #expect(failure("a: &a [*a]").hasPrefix("there is no anchor &a"))
        #expect(failure("a: &a 1\n---\nb: *a").hasPrefix("there is no anchor &a"))
        #expect(failure("a: {<<: 1}").hasPrefix("<< needs a mapping"))
    }

    @Test func `the size counts with replaced aliases`() {
        var laughs = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
        for level in 1...20 {
            laughs += "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ","))]\n"
        }
        #expect(failure(laughs).hasPrefix("with its aliases, the text has more than 5000000 values"))
        let long =
            "a: &a \(String(repeating: "x", count: 1 << 20))\nb: [\(String(repeating: "*a,", count: 100))]"
        #expect(failure(long).contains("67108864 bytes"))
        var limits = YAMLReader.Limits()
        limits.bytes = 10
        #expect(failure("12345678901", limits).hasPrefix("the text has 11 bytes; the limit is 10"))
        limits = YAMLReader.Limits()
        limits.values = 3
        #expect(failure("[1, 2]", limits) == "[[1,2]]")
        #expect(failure("[1, 2, 3]", limits).contains("more than 3 values"))
    }

    @Test(arguments: [
        ("a: 1\na: 2", "the key 'a' is there twice (line 2)"), ("a: !!str 1", "tags such as tag:yaml.org,2002:str"),
        ("!flag {a: 1}", "tags such as !flag"), ("? [a]\n: 1", "a key must be a text"),
        ("&a x: 1", "a key can't have an anchor"), ("a: &x b\n*x : 1", "an alias can't be a key"),
        ("a: [1", "did not find expected ',' or ']'"), ("a: b: c", "mapping values are not allowed"),
        ("\tx: 1", "found character that cannot start any token"), ("a: \"\\q\"", "found unknown escape character"),
    ])
    func `other texts are refused with the line`(_ text: String, _ message: String) {
        #expect(failure(text).hasPrefix(message), "\(failure(text))")
        #expect(failure(text).contains("(line "))
    }

    @Test func `deep nesting is refused, also by aliases`() {
        #expect(failure(String(repeating: "[", count: 1_000_000)).hasPrefix("collections are nested deeper than 64"))
        #expect(
            failure((0..<200).map { String(repeating: " ", count: $0) + "a:\n" }.joined()).contains("deeper than 64"))
        let chain = (1...70).map { "a\($0): &a\($0) [*a\($0 - 1)]" }.joined(separator: "\n")
        #expect(failure("a0: &a0 [x]\n" + chain).contains("deeper than 64"))
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        #expect(throws: YAMLFailure.self) { try YAMLReader.documents([0x61, 0x3A, 0x20, 0xFF, 0xFE]) }
        #expect(throws: YAMLFailure.self) { try YAMLReader.documents(Array("a: \u{0}".utf8)) }
    }
}
