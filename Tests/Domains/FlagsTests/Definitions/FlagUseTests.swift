import AlmanacConfigDomain
import AlmanacHTTP
import AlmanacJSON
import AlmanacMetrics
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTargeting
import AlmanacTestSupport
import Testing

@testable import AlmanacFlagsDomain

@Suite(.database(.migrated)) struct FlagUseTests {
    private let time = TestClock(milliseconds: 1_790_000_000_000)

    /// Runs a script as the cluster's superuser, for changes that a worker may not make.
    private func execute(_ script: String) throws {
        try Connection(TestDatabase.current.settings).execute(script: script)
    }

    private var rows: [String] {
        get throws {
            try Connection(TestDatabase.current.settings).run(
                Statement("-- name: test_flag_uses\nselect key || ' ' || variant as row from flag_uses order by 1")
            ).map { try $0.text("row") }
        }
    }

    private func instance(sharing other: FlagsInstance? = nil) throws -> FlagsInstance {
        try FlagsInstance(clock: time.server, sharing: other)
    }

    /// Returns the list in short form: `a[on 2 off 0]` with the counts, then the time of the last evaluation.
    private func list(_ instance: FlagsInstance) throws -> String {
        let answer = try instance.call("GET", "/flags")
        try #require(answer.status == 200, "\(answer.body)")
        let flags = try #require(try JSONValue(parsing: answer.response.bytes).objectValue?["flags"]?.arrayValue)
        return flags.compactMap(\.objectValue).map { flag in
            let variants = (flag["variants"]?.arrayValue ?? []).compactMap(\.objectValue).map { variant in
                "\(variant["name"]?.stringValue ?? "") \(variant["evaluations"]?.numberValue?.text ?? "")"
            }
            let last = flag["last_evaluated_at"]?.stringValue.map { String($0.suffix(13).prefix(8)) } ?? "never"
            return "\(flag["key"]?.stringValue ?? "")[\(variants.joined(separator: " "))] \(last)"
        }.joined(separator: ", ")
    }

    @Test func `the last evaluation is seen within a minute, whichever worker answered it`() throws {
        let one = try instance()
        try one.put(flag: "new-ui", FlagsInstance.toggle)
        try one.put(flag: "other", FlagsInstance.toggle)
        let two = try instance(sharing: one)
        try two.service.refresh()
        #expect(try list(one) == "new-ui[on 0 off 0] never, other[on 0 off 0] never")
        #expect(try two.evaluate("new-ui", #"{"beta":true}"#)[member: "variant"] == #""on""#)
        time.advance(by: .seconds(5))
        _ = try two.evaluate("new-ui")
        // A worker calls this when it is idle and at every notification.
        try two.uses.record()
        #expect(try list(one) == "new-ui[on 1 off 1] 14:13:25, other[on 0 off 0] never")
        _ = try two.evaluate("new-ui")
        _ = try two.evaluateAll()
        try two.uses.record()
        #expect(try list(one) == "new-ui[on 1 off 1] 14:13:25, other[on 0 off 0] never", "not at once")
        time.advance(by: .seconds(20))
        try two.uses.record()
        #expect(try list(one) == "new-ui[on 1 off 3] 14:13:25, other[on 0 off 1] 14:13:25")
        // A worker's list includes its own unrecorded evaluations.
        _ = try one.evaluate("other", #"{"beta":true}"#)
        #expect(try list(one) == "new-ui[on 1 off 3] 14:13:25, other[on 1 off 1] 14:13:45")
    }

    @Test func `uses survive a restart, and the database being away`() throws {
        let one = try instance()
        try one.put(flag: "new-ui", FlagsInstance.toggle)
        _ = try one.evaluate("new-ui")
        try one.uses.recordNow()
        #expect(try list(try instance(sharing: one)) == "new-ui[on 0 off 1] 14:13:20")
        try execute("revoke insert on flag_uses from almanac_worker")
        _ = try one.evaluate("new-ui")
        #expect(throws: PostgresFailure.self) { try one.uses.recordNow() }
        _ = try one.evaluate("new-ui")
        #expect(throws: PostgresFailure.self) { try one.uses.recordNow() }
        try execute("grant insert on flag_uses to almanac_worker")
        try one.uses.recordNow()
        #expect(try list(one) == "new-ui[on 0 off 3] 14:13:20")
    }

    @Test func `only flags and variants that there are are counted, however many keys are asked for`() throws {
        let one = try instance()
        try one.put(flag: "new-ui", FlagsInstance.toggle)
        for number in 0..<200 { #expect(try one.evaluate("unknown-\(number)").status == 404) }
        _ = try one.evaluateAll(#"{"flags":["nothing","new-ui"]}"#)
        #expect(try one.evaluate("new-ui").status == 200)
        try one.uses.recordNow()
        #expect(try rows == ["new-ui off"])
        // A disabled flag has a last evaluation, but returns no variant.
        #expect(try one.call("POST", "/flags/new-ui/disable").status == 200)
        time.advance(by: .seconds(60))
        _ = try one.evaluate("new-ui")
        #expect(try list(one) == "new-ui[on 0 off 2] 14:14:20")
    }

    @Test func `a table has a place for each variant, and for none`() throws {
        let set = try FlagSet(
            try FlagValue(json: #"{"flags":{"a":\#(FlagsInstance.toggle),"b":\#(FlagsInstance.toggle)}}"#),
            fractional: .version3)
        let table = FlagUseTable(set)
        #expect(table.drain().isEmpty)
        table.record(at: 10, [(0, 0), (0, nil), (1, 1), (1, 1)])
        table.record(at: 12, [(1, 1)])
        #expect(
            table.drain() == [
                .init(key: "a", variant: "on", lastAt: 10, count: 1),
                .init(key: "a", variant: "", lastAt: 10, count: 1),
                .init(key: "b", variant: "off", lastAt: 12, count: 3),
            ])
        #expect(table.drain().isEmpty)
    }

    @Test func `flags of those who have the newest answer already are in use, too`() throws {
        let one = try instance()
        try one.put(flag: "new-ui", FlagsInstance.toggle)
        let tag = try #require(try one.evaluateAll()["ETag"])
        #expect(try list(one) == "new-ui[on 0 off 1] 14:13:20")
        time.advance(by: .seconds(30))
        for _ in 0..<5 { #expect(try one.evaluateAll(tag: tag).status == 304) }
        #expect(try list(one) == "new-ui[on 0 off 2] 14:13:50")
    }

    @Test func `many threads count every evaluation`() throws {
        let set = try FlagSet(try FlagValue(json: #"{"flags":{"a":\#(FlagsInstance.toggle)}}"#), fractional: .version3)
        let table = FlagUseTable(set)
        let threads = (0..<8).map { _ in
            Thread(name: "count") { for _ in 0..<2000 { table.record(at: 1, [(0, 1)]) } }
        }
        var total: Int64 = 0
        for thread in threads {
            total += table.drain().reduce(0) { $0 + $1.count }
            thread.wait(upTo: .seconds(30))
        }
        total += table.drain().reduce(0) { $0 + $1.count }
        #expect(total == 16_000)
    }

    @Test func `what no major has any more is forgotten, and tables of old releases are let go`() throws {
        let one = try instance()
        try one.put(flag: "new-ui", FlagsInstance.toggle)
        for state in ["DISABLED", "ENABLED", "DISABLED"] {
            _ = try one.evaluate("new-ui")
            try one.put(flag: "new-ui", FlagsInstance.toggle.replacing("ENABLED", with: state))
        }
        _ = try one.evaluate("new-ui")
        #expect(one.uses.tableCount == 4)
        try one.uses.recordNow()
        #expect(one.uses.tableCount == 1)
        #expect(try list(one) == "new-ui[on 0 off 2] 14:13:20")
        try execute("insert into flag_uses values ('gone', 'on', now(), 1), ('new-ui', 'gone', now(), 1)")
        try one.uses.deleteOrphans()
        #expect(try rows == ["new-ui ", "new-ui off"])
    }

    @Test func `metrics tell of flags that nobody asks for`() throws {
        let one = try instance()
        try one.put(flag: "old", FlagsInstance.toggle)
        try one.put(flag: "used", FlagsInstance.toggle)
        // Releases get their times from this machine's clock, so the evaluations must be 40 days after it.
        time.set(.now, milliseconds: WallClock.milliseconds + 40 * 86_400_000)
        _ = try one.evaluate("used")
        try one.uses.recordNow()
        var exposition = Exposition()
        one.uses.write(to: &exposition)
        let page = exposition.text
        #expect(page.contains(#"almanac_flags{environment="development"} 2"#))
        #expect(page.contains(#"almanac_flags_unused{environment="development"} 1"#))
        #expect(page.contains(#"almanac_flag_evaluations_total{environment="development"} 1"#))
    }
}
