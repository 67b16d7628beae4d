import AlmanacIdentity
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTargeting
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct FlagHistoryTests {
    @Test func `a purged flag is gone from every major and from the past, and nobody without the scope hears of it`()
        throws
    {
        let instance = try ConfigInstance()
        try instance.putFlag("f", Definition.toggle(targeting: #"{"==":[{"var":"x"},"leaked-secret"]}"#))
        try instance.patch(#"{"f":{"variants":{"off":null},"targeting":null}}"#)
        let before = try instance.call("GET", "/config?since=0", as: nil).body
        try instance.call("DELETE", "/config/f?purge=true").expecting(200)
        #expect(try instance.call("GET", "/config?since=0", as: nil).body == before && before == "[]")
        for path in [
            "/config?since=0", "/config?at=1", "/config?version=1", "/flags.json?at=1", "/config/f/history",
            "/releases/1",
        ] {
            #expect(try !instance.call("GET", path).body.contains("leaked-secret"), "\(path)")
        }
        #expect(try instance.call("GET", "/config?since=0").json.arrayValue?[0].objectValue?["kind"] == "flag")
        #expect(instance.snapshot.flags.compiled(for: 1).set.flags.isEmpty)
        // The key was once a plain value, so every client gets its tombstone.
        try instance.put("v", #""leaked-secret""#)
        try instance.putFlag("v", Definition.toggle())
        try instance.call("DELETE", "/config/v?purge=true").expecting(200)
        #expect(try instance.call("GET", "/config?since=3", as: nil).entries == "v=gone")
        // A new entry under the key is a plain value by default.
        try instance.put("f", "1")
        #expect(try instance.call("GET", "/config?since=3", as: nil).entries == "f=1 v=gone")
    }

    @Test func `what is left of a trimmed history is the same for who may read flags and who may not`() throws {
        let instance = try ConfigInstance()
        try instance.put("k", "1")
        try instance.putFlag("k", Definition.toggle())
        try instance.putFlag("k", Definition.toggle(state: "DISABLED"))
        try instance.put("a", "1")
        try instance.asSuperuser("update config_releases set released_at = released_at - interval '200 days'")
        while try instance.service.trimHistory() {}
        try instance.service.refresh()
        #expect(try instance.call("GET", "/config?at=4", as: nil).entries == "a=1")
        #expect(try instance.call("GET", "/config?at=4").json.arrayValue?[1].objectValue?["kind"] == "flag")
    }

    @Test func `a forecast says how many callers get another variant`() throws {
        let instance = try ConfigInstance()
        func split(_ share: Int) -> String { #"{"fractional":[["on",\#(share)],["off",\#(100 - share)]]}"# }
        try instance.putFlag("f", Definition.toggle(targeting: split(10)))
        try instance.putFlag("g", Definition.toggle(targeting: split(50)))
        func warnings(_ patch: String) throws -> [String] {
            let answer = try instance.call("PATCH", "/config?dry_run=true", patch).expecting(200)
            return try #require(answer[member: "warnings"]?.arrayValue).compactMap(\.stringValue)
        }
        let ramp = try warnings(#"{"f":{"targeting":\#(split(20))}}"#)
        let moved = try #require(ramp.first?.firstMatch(of: /'f': (\d+) of 10000 sampled/).flatMap { Int($0.1) })
        #expect(ramp.count == 1 && (900...1100).contains(moved))
        let hash = try warnings(#"{"_flags":{"fractional":2}}"#)
        let moves = hash.compactMap { $0.firstMatch(of: /: (\d+) of 10000/).flatMap { Int($0.1) } }
        #expect(moves.count == 2 && (4700...5300).contains(moves[1]), "half of a half: \(hash)")
        #expect(try warnings(#"{"f":{"metadata":{"a":1}}}"#) == [])
        #expect(instance.snapshot.head.revision == 2)
    }

    @Test func `of two writers at once none brings a flag that the other one's release breaks`() throws {
        let instance = try ConfigInstance()
        for turn in 0..<5 {
            try instance.putFlag("base", Definition.toggle())
            let asking = Definition.toggle(targeting: #"{"almanac.flag":"base"}"#)
            let outcomes = try concurrently(2) { index in
                index == 0
                    ? try instance.call("DELETE", "/config/base").outcome
                    : try instance.call("PUT", "/config/f", #"{"value":\#(asking),"kind":"flag"}"#).outcome
            }
            #expect(outcomes.filter { $0 == "422 invalid-flag" }.count == 1, "turn \(turn): \(outcomes)")
            try instance.service.refresh()
            #expect(instance.snapshot.flags.compiled(for: nil).set.faults.isEmpty)
            _ = try instance.call("PUT", "/flags.json", #"{"flags":{}}"#).expecting(200)
        }
    }
}
