import AlmanacJSON
import AlmanacTestSupport
import Testing

@Suite struct MergePatchTests {
    /// Applies the examples of RFC 7396, appendix A.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
        (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
        (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
        (#"{"a":"foo"}"#, #"null"#, #"null"#),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
        (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func `the examples of the RFC come out as it says`(original: String, patch: String, result: String) throws {
        #expect(
            try JSONValue(json: original).merging(JSONValue(json: patch)).description
                == JSONValue(json: result).description)
    }

    @Test func `names are told apart by their bytes`() throws {
        let merged = try JSONValue(json: "{\"é\":1}").merging(JSONValue(json: "{\"e\u{301}\":2}"))
        #expect(merged.objectValue?.count == 2)
    }

    @Test func `the patch from one random document to another makes it equal`() throws {
        var random = Randomness()
        for round in 0..<TestDepth.runs(quick: 500, standard: 1000, long: 50_000) {
            let source = JSONValue.random(depth: 4, nulls: true, &random)
            let target = JSONValue.random(depth: 4, nulls: false, &random)
            let patch = try #require(source.mergePatch(to: target), "\(random.note) round \(round)")
            #expect(
                source.merging(patch) == target, "\(random.note) round \(round): \(source) to \(target) by \(patch)")
        }
    }

    @Test func `there is no patch exactly where a member would have to become null`() {
        var random = Randomness()
        for round in 0..<TestDepth.runs(quick: 500, standard: 1000, long: 50_000) {
            let source = JSONValue.random(depth: 4, nulls: true, &random)
            let target = JSONValue.random(depth: 4, nulls: true, &random)
            let patch = source.mergePatch(to: target)
            let note = "\(random.note) round \(round): \(source) to \(target)"
            #expect((patch == nil) == target.hasNull(notIn: source), "\(note)")
            if let patch { #expect(source.merging(patch) == target, "\(note)") }
        }
    }

    @Test(
        arguments: [
            (#"{"a":null}"#, #"{"a":null}"#, #"{}"#),
            (#"{"a":null}"#, #"{}"#, #"{"a":null}"#),
            (#"{"a":null,"b":1}"#, #"{"a":null,"b":2}"#, #"{"b":2}"#),
            (#"{}"#, #"{"a":null}"#, nil),
            (#"{"a":1}"#, #"{"a":null}"#, nil),
            (#"{"a":1}"#, #"{"a":{"b":null}}"#, nil),
            (#"{"a":1}"#, #"{"a":[null,{"b":null}]}"#, #"{"a":[null,{"b":null}]}"#),
            (#"{"a":"x"}"#, #"{"a":{}}"#, #"{"a":{}}"#),
            (#"{"a":{"b":1}}"#, #"{"a":{}}"#, #"{"a":{"b":null}}"#),
            (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, #"{}"#),
            (#"{"a":1}"#, #"{"a":1.0}"#, #"{"a":1.0}"#),
            (#"1"#, #"null"#, #"null"#),
        ] as [(String, String, String?)])
    func `a patch holds what differs and nothing else`(source: String, target: String, expected: String?) throws {
        #expect(try JSONValue(json: source).mergePatch(to: JSONValue(json: target))?.description == expected)
    }

    @Test func `fifty thousand members are compared and merged in linear time`() {
        func object(_ range: Range<Int>, _ value: JSONValue) -> JSONValue {
            .object(JSONObject(range.map { ("key\($0)", value) }))
        }
        let source = object(0..<50_000, ["a": 1, "b": 2])
        let target = object(25_000..<75_000, ["a": 1, "c": 3])
        let patch = source.mergePatch(to: target)
        #expect(patch?.objectValue?.count == 75_000)
        #expect(patch.map { source.merging($0) } == target)
    }
}

extension JSONValue {
    /// Returns true if an object in the value, outside arrays, has a null member that the other document lacks there.
    fileprivate func hasNull(notIn other: JSONValue?) -> Bool {
        guard let object = objectValue else { return false }
        return object.members.contains { member in
            let there = other?.objectValue?[member.name]
            return member.value == .null ? there != .some(.null) : member.value.hasNull(notIn: there)
        }
    }
}
