import AlmanacEnvironments
import AlmanacIdentity
import AlmanacJSON
import AlmanacTargeting
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct FlagDocumentTests {
    private static let document = #"""
        {"$schema":"https://flagd.dev/schema/v0/flags.json",
         "flags":{"a":{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off",
                       "targeting":{"if":[{"$ref":"staff"},"on",{"fractional":[["on",10],["off",90]]}]},
                       "metadata":{"almanac.public":true}},
                  "b":{"state":"DISABLED","variants":{"x":1.50,"y":2}}},
         "$evaluators":{"staff":{"ends_with":[{"var":"email"},"@example.com"]}},
         "metadata":{"team":"web"}}
        """#

    @Test func `the tag of the set changes with its flags, and is a condition on them alone`() throws {
        let instance = try ConfigInstance()
        _ = try instance.call("PUT", "/flags.json", Self.document).expecting(200)
        func tag() throws -> String { try #require(try instance.call("GET", "/flags.json")["ETag"]) }
        let first = try tag()
        try instance.put("plain", "1")
        #expect(try tag() == first)
        let same = try instance.call("PUT", "/flags.json", Self.document, as: .admin, ("If-Match", first))
        #expect(same.status == 200)
        let flag = #"{"state":"ENABLED","variants":{"on":true},"defaultVariant":"on"}"#
        let body = #"{"kind":"flag","value":\#(flag)}"#
        let other = try instance.call("PUT", "/config/other", body, as: .admin, ("If-Match", first))
        #expect(other.status == 412)
        _ = try instance.call("PUT", "/config/other", body).expecting(201)
        #expect(try tag() != first)
        for path in ["/flags.json", "/flags.json?dry_run=true"] {
            let late = try instance.call("PUT", path, Self.document, as: .admin, ("If-Match", first))
            #expect(late.outcome == "412 precondition-failed")
        }
        // A flag that becomes a plain value leaves the set without a newer row.
        let second = try tag()
        _ = try instance.call("PUT", "/config/other", #"{"kind":"value","value":true}"#).expecting(200)
        #expect(try tag() != second)
    }

    @Test func `a set is imported in one release, and what is exported and imported again is the same set`() throws {
        let instance = try ConfigInstance()
        try instance.put("plain", "1")
        let done = try instance.call("PUT", "/flags.json", Self.document).expecting(200)
        #expect(done.revision == 2 && done[member: "entries"]?.arrayValue?.count == 3)
        let exported = try instance.call("GET", "/flags.json").expecting(200)
        #expect(exported["Almanac-Fractional"] == "2", "an imported set keeps everybody's variant")
        #expect(exported["Cache-Control"] == "private, no-cache")
        #expect(try exported.json == JSONValue(parsing: Array(Self.document.utf8)))
        #expect(exported.body.contains("1.50"))
        let again = try instance.call("PUT", "/flags.json", exported.body).expecting(200)
        #expect(again.revision == 2 && again[member: "entries"] == .some([]))
        #expect(
            try instance.call("GET", "/flags.json", nil, as: .admin, ("If-None-Match", try #require(exported["ETag"])))
                .status == 304)
        // Another environment needs the version of the set's splits.
        try TestDatabase.with(template: .migrated) { database in
            let other = try ConfigInstance("other", on: database)
            _ = try other.call("PUT", "/flags.json?fractional=2", exported.body).expecting(200)
            #expect(try other.call("GET", "/flags.json").json == exported.json)
        }
        let details = instance.snapshot.flags.compiled(for: nil).details
        #expect(details.map(\.isPublic) == [true, false])
    }

    @Test func `keys of other systems are refused, left out or renamed, and each is named`() throws {
        let instance = try ConfigInstance()
        let flag = #"{"state":"ENABLED","variants":{"on":true},"description":"Says \"hi\""}"#
        let names = ["new ui", "new/ui", "new_ui", "1st", "", "_flags", "größe", String(repeating: "x", count: 300)]
        let set = "{\"flags\":{\(names.map { "\"\($0)\":\(flag)" }.joined(separator: ","))}}"
        let refused = try instance.call("PUT", "/flags.json", set)
        #expect(refused.status == 422 && refused.body.contains("'new ui', 'new/ui'"))
        #expect(refused[member: "names"]?.arrayValue?.count == 7)
        func warnings(_ answer: TestResponse) throws -> [String] {
            try #require(answer[member: "warnings"]?.arrayValue).compactMap(\.stringValue)
        }
        let trial = try warnings(instance.call("PUT", "/flags.json?rename=true&dry_run=true", set).expecting(200))
        let renamed = try instance.call("PUT", "/flags.json?rename=true", set).expecting(200)
        let said = try warnings(renamed)
        #expect(said.count == 7 && said == trial)
        for words in [
            "'new ui' is stored as 'new_ui_2'", "'new/ui' is stored as 'new_ui_3'", "'1st' is stored as '_1st'",
            "'' is stored as '_'",
        ] {
            #expect(said.contains(words))
        }
        let keys = instance.snapshot.flags.compiled(for: nil).set.flags.map(\.key)
        let long = String(repeating: "x", count: 120)
        #expect(keys == ["_", "_1st", "__flags", "gr__e", "new_ui", "new_ui_2", "new_ui_3", long])
        #expect(Set(instance.snapshot.flags.compiled(for: nil).details.map(\.description)) == ["Says \"hi\""])
        let lenient = try warnings(instance.call("PUT", "/flags.json?lenient=true", set).expecting(200))
        #expect(lenient.count == 7 && lenient.allSatisfy { $0.contains("' was skipped; expected a key of the form") })
        #expect(instance.snapshot.flags.compiled(for: nil).set.flags.map(\.key) == ["new_ui"])
    }

    @Test func `a set without flags stores nothing where there are none`() throws {
        let instance = try ConfigInstance()
        let answer = try instance.call("PUT", "/flags.json", #"{"flags":{}}"#).expecting(200)
        #expect(answer.revision == 0 && instance.snapshot.flags.isEmpty)
        try instance.putFlag("f", Definition.toggle())
        #expect(try instance.call("GET", "/flags.json")["Almanac-Fractional"] == "3")
    }

    @Test func `flags that a set doesn't have go, and plain values stay`() throws {
        let instance = try ConfigInstance()
        try instance.put("plain", "1")
        try instance.putFlag("old", Definition.toggle())
        let forecast = try instance.call("PUT", "/flags.json?dry_run=true", Self.document).expecting(200)
        #expect(forecast[member: "bump"] == .some("major") && instance.snapshot.head.revision == 2)
        _ = try instance.call("PUT", "/flags.json", Self.document).expecting(200)
        #expect(instance.snapshot.head.revision == 3)
        #expect(try instance.call("GET", "/config/old").status == 404)
        #expect(try instance.call("GET", "/config/plain").status == 200)
        #expect(try instance.call("GET", "/flags.json")["Almanac-Fractional"] == "3", "what the environment has")
        #expect(
            try instance.call("GET", "/flags.json?at=2")[member: "flags"]?.objectValue?.members.map(\.name) == ["old"])
        #expect(
            try instance.call("GET", "/flags.json?version=1")[member: "flags"]?.objectValue?.members.map(\.name)
                .contains("old") == true)
        _ = try instance.call("PUT", "/flags.json", #"{"flags":{}}"#).expecting(200)
        #expect(try instance.call("GET", "/flags.json").body == #"{"flags":{}}"#)
        _ = try instance.call("PUT", "/flags.json", #"{"flags":{}}"#).expecting(200)
        #expect(instance.snapshot.head.revision == 4)
    }

    @Test(
        arguments: [
            (
                #"{"flags":{"a b":\#(Definition.toggle()),"_flags":\#(Definition.toggle())}}"#, "422 invalid-value",
                "a b"
            ),
            (#"{"flags":{"9":\#(Definition.toggle())}}"#, "422 invalid-value", "'9'"),
            (#"{"flags":{"a":null}}"#, "422 invalid-flag", "'a'"), (#"{"flags":[1]}"#, "422 invalid-flag", "/flags/0"),
            (#"{"flags":[{"key":"a"},{"key":"a"}]}"#, "422 invalid-flag", "the same key"),
            (#"{"flags":1}"#, "422 invalid-flag", "/flags"), ("[]", "422 invalid-flag", "object"),
            (#"{"flags":{},"flag":{}}"#, "422 invalid-flag", "'flag'"),
            (#"{"flags":{},"$evaluators":[]}"#, "422 invalid-flag", "$evaluators"),
            (#"{"flags":{},"metadata":{"a":{}}}"#, "422 invalid-flag", "/metadata/a"),
            (#"{"flags":{},"#, "400 invalid-json", ""),
        ])
    func `what is no set of flags is refused, with the reason`(body: String, outcome: String, word: String) throws {
        let instance = try ConfigInstance()
        let answer = try instance.call("PUT", "/flags.json", body)
        #expect(answer.outcome == outcome && answer.body.contains(word), "\(answer.body)")
        #expect(instance.snapshot.head.revision == 0)
    }

    @Test func `reading and writing the set takes the scopes for that`() throws {
        let instance = try ConfigInstance()
        #expect(try instance.call("GET", "/flags.json", as: nil).outcome == "401 token-needed")
        #expect(try instance.call("GET", "/flags.json", as: .flagsEvaluate).outcome == "403 scope-too-small")
        #expect(try instance.call("GET", "/flags.json", as: .configRead)["Cache-Control"] == "private, no-cache")
        #expect(
            try instance.call("PUT", "/flags.json", Self.document, as: .configRead).outcome == "403 scope-too-small")
        #expect(try instance.call("PUT", "/flags.json?fractional=4", Self.document).outcome == "400 invalid-parameter")
        #expect(instance.snapshot.head.revision == 0)
    }

    @Test func `ten thousand flags are taken in one release, and one of them is switched off beside the others`() throws
    {
        let instance = try ConfigInstance()
        let flags = (0..<10_000).map {
            #""f\#($0)":\#(Definition.toggle(targeting: #"{"fractional":[["on",10],["off",90]]}"#))"#
        }
        let body = #"{"flags":{\#(flags.joined(separator: ","))}}"#
        let done = try instance.call("PUT", "/flags.json?fractional=3", body).expecting(200)
        #expect(done.revision == 1 && instance.snapshot.flags.compiled(for: nil).set.flags.count == 10_000)
        try instance.patch(#"{"f77":{"state":"DISABLED"}}"#)
        let set = instance.snapshot.flags.compiled(for: nil).set
        #expect(set.flags.count { !$0.isEnabled } == 1)
        #expect(try instance.call("PUT", "/config/one.more", #"{"value":1}"#).outcome == "422 limit-exceeded")
    }
}

@Suite(.database(.migrated)) struct FlagPromotionTests {
    @Test func `the difference in entries carries kinds and descriptions, and makes both equal`() throws {
        let instance = try ConfigInstance()
        try TestDatabase.with(template: .migrated) { database in
            let other = try ConfigInstance("other", on: database)
            instance.connect(to: other)
            try instance.put("same", "1")
            try other.put("same", "1")
            try instance.put("was.value", "1")
            try other.putFlag("was.value", Definition.toggle())
            try instance.putFlag("was.flag", Definition.toggle())
            try other.call("PUT", "/config/was.flag", #"{"value":{"m":null},"description":"d"}"#).expecting(201)
            try instance.putFlag("gone", Definition.toggle())
            try other.put("_flags", #"{"fractional":2}"#)
            try other.call("PUT", "/config/described", #"{"value":1,"description":"here"}"#).expecting(201)
            try instance.put("described", "1")
            let authorization = ("Almanac-Other-Authorization", other.authorization(.configRead))
            for query in ["", "?replace=true"] {
                let refused = try instance.call("GET", "/diff/other\(query)", nil, as: .configRead, authorization)
                #expect(refused.outcome == "409 flags-differ", "\(refused.body)")
                #expect(refused.body.contains("was.value") && refused.body.contains("form=entries"))
                // A caller who may not read flags compares only values.
                let values = try instance.call("GET", "/diff/other\(query)", as: nil)
                #expect(values.status == 200 || values.outcome == "409 difference-not-expressible")
                #expect(!values.body.contains("gone") && !values.body.contains("variants"))
            }
            let diff = try instance.call(
                "GET", "/diff/other?replace=true&form=entries", nil, as: .configRead, authorization
            ).expecting(200)
            let patch = try instance.call(
                "PATCH", "/config?replace=true&form=entries", diff.body, as: .configWrite,
                ("If-Match", try #require(diff["ETag"]))
            ).expecting(200)
            #expect(patch.revision == instance.snapshot.head.revision)
            let empty = try instance.call(
                "GET", "/diff/other?replace=true&form=entries", nil, as: .configRead, authorization)
            #expect(empty.body == "{}")
            for query in ["", "?replace=true"] {
                #expect(
                    try instance.call("GET", "/diff/other\(query)", nil, as: .configRead, authorization).body == "{}")
            }
            #expect(try instance.call("GET", "/config/described")[member: "description"] == .some("here"))
            #expect(try instance.call("GET", "/diff/other?form=entries").outcome == "400 invalid-parameter")
        }
    }
}
