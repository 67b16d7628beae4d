import AlmanacEnvironments
import AlmanacHTTP
import AlmanacIdentity
import AlmanacJSON
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// Tests the summary form and the search of `GET /config`.
@Suite(.database(.migrated)) struct ListingTests {
    @Test func `a summary has what a list of entries shows`() throws {
        let instance = try ConfigInstance()
        let long = String(repeating: "é", count: 300)
        let body = #"{"value":{"b":[1.10,null],"a":"x: y"},"description":"d"}"#
        try instance.call("PUT", "/config/object", body, as: .configWrite).expecting(201)
        try instance.patch(#"{"list":[],"number":9007199254740993,"text":"\#(long)","truth":false}"#)
        let answer = try instance.call("GET", "/config?form=summary", as: nil).expecting(200)
        let entries = try #require(try answer.json.arrayValue)
        let times = instance.snapshot.view(of: nil).live.map { JSONValue.string("\($0.updatedAt)") }
        #expect(
            entries == [
                [
                    "key": "list", "type": "array", "bytes": 2, "value": [], "description": "", "updated_at": times[0],
                    "revision": 2, "author": "test admin",
                ],
                [
                    "key": "number", "type": "number", "bytes": 16, "value": 9_007_199_254_740_993, "description": "",
                    "updated_at": times[1], "revision": 2, "author": "test admin",
                ],
                [
                    "key": "object", "type": "object", "bytes": 32,
                    "value": try JSONValue(json: #"{"a":"x: y","b":[1.10,null]}"#), "description": "d",
                    "updated_at": times[2], "revision": 1, "author": "test config:write",
                ],
                [
                    "key": "text", "type": "string", "bytes": 602,
                    "preview": .string("\"" + String(repeating: "é", count: 199)), "description": "",
                    "updated_at": times[3], "revision": 2, "author": "test admin",
                ],
                [
                    "key": "truth", "type": "boolean", "bytes": 5, "value": false, "description": "",
                    "updated_at": times[4], "revision": 2, "author": "test admin",
                ],
            ])
        #expect(answer.body.contains(#""value":{"a":"x: y","b":[1.10,null]}"#), "written without spaces")
    }

    @Test func `a summary has the headers and the validators of every read`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        try instance.put("a", "\"x\"")
        let head = instance.snapshot.head
        let answer = try instance.call("GET", "/config?form=summary&version=1", as: nil).expecting(200)
        #expect(answer["ETag"] == "\"\(head.cursor)-v1-summary\"" && answer["Almanac-Major"] == "1")
        #expect(answer["Almanac-Cursor"] == "\(head.cursor)" && answer["Cache-Control"] == "public, no-cache")
        #expect(try answer.json.arrayValue?.first?.objectValue?["value"] == .some(1))
        let tag = try #require(answer["ETag"])
        let again = try instance.call("GET", "/config?form=summary&version=1", as: nil, ("If-None-Match", "W/\(tag)"))
        #expect(again.outcome == "304" && again.body.isEmpty)
        try instance.put("a", "\"y\"")
        #expect(
            try instance.call("GET", "/config?form=summary&version=1", as: nil, ("If-None-Match", tag)).status == 200)
    }

    @Test func `readers see the names of authors in a summary, and a new name at once`() throws {
        let instance = try ConfigInstance()
        try instance.call("PUT", "/config/a", #"{"value":1}"#, as: .configWrite).expecting(201)
        for path in ["/config?form=summary", "/config?form=summary&q=a"] {
            let answer = try instance.call("GET", path, as: .configRead).expecting(200)
            #expect(answer.body.contains(#""author":"test config:write","author_name":"Olga Operator""#), "\(path)")
            let tag = try #require(answer["ETag"])
            #expect(try instance.call("GET", path, as: .configRead, ("If-None-Match", tag)).status == 304)
            try instance.rename(to: "O. P. Erator")
            let renamed = try instance.call("GET", path, as: .configRead, ("If-None-Match", tag))
            #expect(renamed.status == 200 && renamed.body.contains(#""author_name":"O. P. Erator""#), "\(path)")
            try instance.rename(to: "Olga Operator")
            #expect(try instance.call("GET", path, as: nil).body.contains("author_name") == false)
        }
    }

    @Test func `an author is known from the beginning, and of entries that are read later`() throws {
        let instance = try ConfigInstance()
        try instance.call("PUT", "/config/a", #"{"value":1}"#, as: .configWrite).expecting(201)
        let other = try ConfigInstance(on: instance.database)
        func authors() throws -> [String?]? {
            try other.call("GET", "/config?form=summary").json.arrayValue?.map {
                $0.objectValue?["author"]?.stringValue
            }
        }
        #expect(try authors() == ["test config:write"])
        try instance.put("b", "1")
        try other.service.refresh()
        #expect(try authors() == ["test config:write", "test admin"])
    }

    @Test(arguments: [
        ("theme", "app.theme"), ("DARK", "app.theme"), ("nacht", "app.night"), ("ÜBER", "app.night"),
        ("\"hosts\":[\"a\",", "hosts"), ("\"hosts\": [\"a\", \"b\"]", "hosts"), ("say \"hi\"", "quote"),
        (#"say \"hi\""#, "quote"), ("9007199254740993", "number"), ("app.", "app.night app.theme"), ("nobody", ""),
        ("ПРИВЕТ", "greeting"), ("a\nb", "lines"), ("1.1", "number"),
    ])
    func `a search finds keys, descriptions and values, whatever the case`(text: String, keys: String) throws {
        let instance = try ConfigInstance()
        let config = #"""
            {"app.theme":{"value":"dark"},"app.night":{"value":1,"description":"über Nacht"},
             "hosts":{"value":{"hosts":["a","b"]}},"quote":{"value":"say \"hi\""},
             "number":{"value":[9007199254740993,1.10]},"greeting":{"value":"привет"},"lines":{"value":"a\nb"}}
            """#
        try instance.call("PATCH", "/config?replace=true&form=entries", config).expecting(200)
        let query = text.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        for form in ["", "&form=summary"] {
            let answer = try instance.call("GET", "/config?q=\(query)\(form)", as: nil).expecting(200)
            let found = try answer.json.arrayValue?.compactMap { $0.objectValue?["key"]?.stringValue }
            #expect(found?.joined(separator: " ") == keys)
            #expect(answer["Almanac-Search-End"] == nil)
        }
    }

    @Test func `a search that would take long ends, and goes on where it ended`() throws {
        let instance = try ConfigInstance(searchBudgetBytes: 60_000)
        // Every position of the text matches the pattern's start.
        let text = String(repeating: "a", count: 1000)
        try instance.patch(#"{"a":"\#(text)","b":"\#(text)","c":"\#(text)b","d":"b"}"#)
        let pattern = String(repeating: "a", count: 49) + "b"
        var found: [String] = []
        var path = "/config?form=summary&q=\(pattern)"
        var searches = 0
        while true {
            let answer = try instance.call("GET", path, as: nil).expecting(200)
            found += try answer.json.arrayValue?.compactMap { $0.objectValue?["key"]?.stringValue } ?? []
            searches += 1
            guard let end = answer["Almanac-Search-End"] else { break }
            path = "/config?form=summary&q=\(pattern)&after=\(end)"
        }
        #expect(found == ["c"])
        #expect(searches == 2, "50,000 characters compared for each of the first three keys")
    }

    @Test(arguments: [
        "form=long", "form=summary&since=0", "q=a&at=1", "q=", "q=\(String(repeating: "x", count: 201))", "after=a",
        "form=summary&after=a", "q=a&revision=1&since=0",
    ])
    func `what cannot be listed so is refused`(query: String) throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        #expect(try instance.call("GET", "/config?\(query)").outcome == "400 invalid-parameter")
        #expect(try instance.call("GET", "/config?q=a&after=0").outcome == "400 invalid-key")
    }

    @Test func `searches take turns with the other work of their caller, and summaries need none`() throws {
        let instance = try ConfigInstance()
        let router = Router(ConfigRoutes.all)
        func claim(_ query: String) throws -> WorkClaim? {
            let request = Request(
                method: "GET", target: try Target("/development/config\(query)"),
                headers: Headers([("Authorization", instance.authorization(.configRead))]), id: "test",
                body: Body(length: 0) { _ in [] })
            return try router.route(request).route.claim(of: request, instance.context)
        }
        #expect(try claim("?q=a")?.kind == .config && claim("?q=a")?.caller != "")
        #expect(try claim("?form=summary") == nil)
        #expect(try claim("") == nil)
    }

    @Test func `a config that is not public is listed and searched for those who may read it`() throws {
        let instance = try ConfigInstance(configRead: .token)
        for query in ["form=summary", "q=a"] {
            #expect(try instance.call("GET", "/config?\(query)", as: nil).outcome == "401 token-needed")
            #expect(try instance.call("GET", "/config?\(query)", as: .configRead).status == 200)
        }
    }
}
