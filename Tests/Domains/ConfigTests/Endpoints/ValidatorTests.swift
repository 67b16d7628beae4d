import AlmanacIdentity
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct ValidatorTests {
    private static let paths = [
        "/config", "/config?version=1", "/config?version=2", "/config.json", "/config.json?version=1",
        "/config.json?nested=true", "/config.json?nested=true&version=1", "/config/a", "/config/a?version=1",
        "/config?at=1", "/config?at=3", "/config.json?at=3", "/config?at=3&version=1",
    ]

    private func instance() throws -> ConfigInstance {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        try instance.put("a", "\"one\"")
        try instance.put("a", "\"two\"")
        return instance
    }

    @Test func `a client that has the answer gets 304, its tag weakened or not`() throws {
        let instance = try instance()
        for path in Self.paths + ["/config?since=1", "/config?since=1&revision=2", "/config/2020-10-17T18:43:19Z"] {
            let first = try instance.call("GET", path, as: nil).expecting(200)
            let tag = try #require(first["ETag"])
            for known in [tag, "W/\(tag)", "\"other\", \(tag)", "\"other\",W/\(tag)", "*"] {
                let again = try instance.call("GET", path, as: nil, ("If-None-Match", known))
                #expect(again.status == 304 && again.body.isEmpty, "\(path) \(known)")
                // The response repeats the client's form of the tag: nginx weakens the tag of a response that it
                // compresses.
                #expect(again["ETag"] == (known.contains("W/") ? "W/\(tag)" : tag), "\(path) \(known)")
                #expect(again["Vary"] == "Accept-Encoding", "\(path)")
                for name in ["Cache-Control", "Almanac-Revision", "Almanac-Cursor", "Almanac-Major"] {
                    #expect(again[name] == first[name], "\(path) \(name)")
                }
            }
            for unknown in ["\"other\"", tag.replacing("3.", with: "2."), "\"3\""] where unknown != tag {
                #expect(try instance.call("GET", path, as: nil, ("If-None-Match", unknown)).status == 200, "\(path)")
            }
        }
    }

    @Test func `a date tells what a client has, but for two changes in one second`() throws {
        let instance = try ConfigInstance()
        try instance.put("banner.text", "\"Spring sale — up to 30 % off\"")
        let first = try instance.call("GET", "/config").expecting(200)
        let date = try #require(first["Last-Modified"])
        func status(_ name: String, _ date: String, _ otherHeaders: (String, String)...) throws -> Int {
            try instance.call("GET", "/config", bytes: [], as: nil, [(name, date)] + otherHeaders).status
        }
        #expect(try status("If-Modified-Since", date) == 304)
        #expect(try status("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT") == 200)
        #expect(try status("If-Modified-Since", "an hour ago") == 200)
        #expect(try status("If-Modified-Since", date, ("If-None-Match", "\"other\"")) == 200)
        #expect(try status("If-Unmodified-Since", date) == 200)
        #expect(try status("If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:37 GMT") == 412)
        #expect(try status("If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:37 GMT", ("If-Match", "*")) == 200)
        #expect(try status("If-Match", first["ETag"] ?? "") == 200)
        #expect(try status("If-Match", "\"0.x\"") == 412)

        var dates = ["", date]
        while dates.last != dates.dropLast().last {
            dates.append(try instance.put("banner.text", "\"day \(dates.count)\"")["Last-Modified"] ?? "")
        }
        #expect(try status("If-Modified-Since", dates.last!) == 200)
        #expect(try status("If-Unmodified-Since", dates.last!) == 412)
    }

    @Test func `no two representations share a tag`() throws {
        let instance = try instance()
        var seen: [String: String] = [:]
        for path in Self.paths {
            let tag = try #require(try instance.call("GET", path)["ETag"])
            let sharer = seen.updateValue(path, forKey: tag)
            #expect(sharer == nil, "\(path) and \(sharer ?? "") have \(tag)")
        }
    }

    @Test func `a release makes the tags new of what it changed, and of nothing else`() throws {
        let instance = try instance()
        func changed(by release: () throws -> Void) throws -> Set<String> {
            let before = try Self.paths.map { try instance.call("GET", $0)["ETag"] }
            try release()
            return Set(
                try zip(Self.paths, before).filter { path, tag in
                    try instance.call("GET", path, as: nil, ("If-None-Match", tag ?? "")).status == 200
                }.map(\.0))
        }
        let ofEntry: Set = ["/config/a", "/config/a?version=1", "/config/a?version=2"]
        #expect(try changed { try instance.put("b", "1") } == Set(Self.paths).subtracting(ofEntry))
        #expect(try changed { try instance.put("a", "\"three\"") }.isSuperset(of: ["/config/a", "/config"]))
    }

    @Test func `the tag of an entry is a condition on that entry alone`() throws {
        let instance = try instance()
        let tag = try #require(try instance.call("GET", "/config/a")["ETag"])
        let body = #"{"value":"four"}"#
        try instance.put("b", "1")
        // Another entry has changed since that tag.
        #expect(try instance.call("PUT", "/config/a", body, as: .admin, ("If-None-Match", tag)).status == 412)
        #expect(try instance.call("PUT", "/config/b", body, as: .admin, ("If-Match", tag)).status == 412)
        #expect(try instance.call("PATCH", "/config", #"{"a":1,"b":2}"#, as: .admin, ("If-Match", tag)).status == 412)
        let trial = try instance.call("PATCH", "/config?dry_run=true", #"{"a":"x"}"#, as: .admin, ("If-Match", tag))
        #expect(trial.status == 200)
        #expect(try instance.call("PUT", "/config/a", body, as: .admin, ("If-Match", "W/\(tag)")).status == 200)
        // The entry itself has changed now.
        #expect(try instance.call("DELETE", "/config/a", "", as: .admin, ("If-Match", tag)).status == 412)
        let whole = try #require(try instance.call("GET", "/config")["ETag"])
        let either = "\(tag), \(whole)"
        #expect(try instance.call("DELETE", "/config/a", "", as: .admin, ("If-Match", either)).status == 200)
        #expect(try instance.call("PUT", "/config/a", body, as: .admin, ("If-Match", tag)).status == 412)
    }

    @Test func `the tag of another lineage is not known`() throws {
        let instance = try instance()
        let tag = try #require(try instance.call("GET", "/config")["ETag"])
        try instance.asSuperuser("update config_head set lineage = 'other'")
        try instance.service.refresh()
        let answer = try instance.call("GET", "/config", as: nil, ("If-None-Match", tag))
        #expect(answer.status == 200)
        #expect(answer["Almanac-Cursor"] == "3.other")
    }

    @Test func `a whole state in place of a delta has a tag of its own`() throws {
        let instance = try instance()
        let full = try instance.call("GET", "/config?since=9")
        let whole = try instance.call("GET", "/config")
        let delta = try instance.call("GET", "/config?since=1")
        #expect(full["Almanac-Full"] == "true")
        #expect(full["ETag"] != delta["ETag"] && full["ETag"] != whole["ETag"])
    }
}
