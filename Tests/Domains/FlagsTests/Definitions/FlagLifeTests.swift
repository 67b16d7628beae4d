import AlmanacConfigDomain
import AlmanacHTTP
import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacFlagsDomain

@Suite(.database(.migrated)) struct FlagLifeTests {
    private let time = TestClock(milliseconds: 1_790_000_000_000)

    private func instance(sharing other: FlagsInstance? = nil) throws -> FlagsInstance {
        try FlagsInstance(clock: time.server, sharing: other)
    }

    /// Returns the evaluations of the flag new-ui in short form: `21T14 off 2` for an hour, `21 off 2` for a day.
    private func evaluations(_ instance: FlagsInstance, _ member: String) throws -> [String] {
        let answer = try instance.call("GET", "/flags/new-ui/evaluations")
        try #require(answer.status == 200, "\(answer.body)")
        let periods = try JSONValue(parsing: answer.response.bytes).objectValue?[member]?.arrayValue ?? []
        return periods.compactMap(\.objectValue).map { period in
            let start = (period["start"]?.stringValue ?? "").dropFirst(8).prefix(member == "hours" ? 5 : 2)
            return "\(start) \(period["variant"]?.stringValue ?? "-") \(period["evaluations"]?.numberValue?.text ?? "")"
        }
    }

    @Test func `evaluations are counted by hour and by day, from all workers`() throws {
        let one = try instance()
        try one.put(flag: "new-ui", FlagsInstance.toggle)
        let two = try instance(sharing: one)
        try two.service.refresh()
        #expect(try evaluations(one, "hours") == [] && evaluations(one, "days") == [])
        for worker in [one, two] {
            _ = try worker.evaluate("new-ui")
            try worker.uses.recordNow()
        }
        _ = try one.evaluate("new-ui", #"{"beta":true}"#)
        try one.uses.recordNow()
        time.advance(by: .seconds(3600))
        _ = try one.evaluate("new-ui")
        #expect(try evaluations(one, "hours") == ["21T14 off 2", "21T14 on 1", "21T15 off 1"])
        time.advance(by: .seconds(9 * 3600))
        #expect(try one.call("POST", "/flags/new-ui/disable").status == 200)
        _ = try one.evaluate("new-ui")
        #expect(try evaluations(one, "hours") == ["21T14 off 2", "21T14 on 1", "21T15 off 1", "22T00 - 1"])
        #expect(try evaluations(one, "days") == ["21 off 3", "21 on 1", "22 - 1"])
        #expect(try one.call("GET", "/flags/other/evaluations").status == 404)
        #expect(try one.call("GET", "/flags/new-ui/evaluations?day=1").status == 400)
    }

    @Test func `hours become days after a week, and days are deleted after a year`() throws {
        let one = try instance()
        try one.put(flag: "new-ui", FlagsInstance.toggle)
        for _ in 0..<2 {
            _ = try one.evaluate("new-ui")
            try one.uses.recordNow()
            time.advance(by: .seconds(3600))
        }
        // A full week later, the hours of the 21st are older than seven full days.
        time.advance(by: .seconds(7 * 86_400))
        #expect(try !one.uses.rollUp())
        #expect(try evaluations(one, "hours") == ["21T14 off 1", "21T15 off 1"])
        time.advance(by: .seconds(86_400))
        _ = try one.evaluate("new-ui")
        try one.uses.recordNow()
        #expect(try one.uses.rollUp())
        #expect(try !one.uses.rollUp())
        #expect(try evaluations(one, "hours") == ["29T16 off 1"])
        #expect(try evaluations(one, "days") == ["21 off 2", "29 off 1"])
        // An hour that a worker stores late is added to its day.
        try execute("insert into flag_use_periods values ('new-ui', 'off', 'hour', '2026-09-21T20:00Z', 5)")
        #expect(try one.uses.rollUp())
        #expect(try evaluations(one, "days") == ["21 off 7", "29 off 1"])
        time.advance(by: .seconds(358 * 86_400))
        _ = try one.uses.rollUp()
        #expect(try evaluations(one, "days") == ["29 off 1"])
    }

    @Test func `counts of variants that no major has are deleted`() throws {
        let one = try instance()
        try one.put(flag: "new-ui", FlagsInstance.toggle)
        _ = try one.evaluate("new-ui")
        try one.uses.recordNow()
        try execute(
            "insert into flag_use_periods select k, v, 'day', '2026-09-20T00:00Z', 1 "
                + "from (values ('gone', 'on'), ('new-ui', 'gone'), ('new-ui', 'on')) as n (k, v)")
        try one.uses.deleteOrphans()
        #expect(try evaluations(one, "days") == ["20 on 1", "21 off 1"])
        let rows = try Connection(TestDatabase.current.settings).run(
            Statement("-- name: test_periods\nselect distinct key from flag_use_periods"))
        #expect(try rows.map { try $0.text("key") } == ["new-ui"])
    }

    /// Runs a script as the cluster's superuser, for changes that a worker may not make.
    private func execute(_ script: String) throws {
        try Connection(TestDatabase.current.settings).execute(script: script)
    }

    /// Returns each flag with its phase: `new-ui new`.
    private func phases(_ instance: FlagsInstance) throws -> [String] {
        let answer = try instance.call("GET", "/flags")
        let flags = try #require(try JSONValue(parsing: answer.response.bytes).objectValue?["flags"]?.arrayValue)
        return flags.compactMap(\.objectValue).map {
            "\($0["key"]?.stringValue ?? "") \($0["life"]?.stringValue ?? "")"
        }
    }

    @Test func `a flag is new, active, settled, unused or due`() throws {
        let one = try instance()
        // Releases get their times from this machine's clock.
        time.set(.now, milliseconds: WallClock.milliseconds)
        for key in ["asked", "both", "old"] { try one.put(flag: key, FlagsInstance.toggle) }
        #expect(try phases(one) == ["asked new", "both new", "old new"])
        for context in ["{}", #"{"beta":true}"#] { _ = try one.evaluate("both", context) }
        _ = try one.evaluate("asked")
        #expect(try phases(one) == ["asked active", "both active", "old new"])
        time.advance(by: .seconds(20 * 86_400))
        for context in ["{}", #"{"beta":true}"#] { _ = try one.evaluate("both", context) }
        _ = try one.evaluate("asked")
        _ = try one.evaluate("old", #"{"beta":true}"#)
        time.advance(by: .seconds(11 * 86_400))
        #expect(try phases(one) == ["asked settled", "both active", "old settled"])
        time.advance(by: .seconds(20 * 86_400))
        #expect(try phases(one) == ["asked unused", "both unused", "old unused"])
    }

    @Test(arguments: [
        ("2026-09-21", "due"), ("2026-09-22", "new"), ("2026-09-21T14:13:20Z", "due"), ("2026-09-21T14:13:21Z", "new"),
        ("soon", "new"), ("", "new"),
    ])
    func `a flag is due from the day in its metadata`(expires: String, phase: String) throws {
        let one = try instance()
        let metadata = #","metadata":{"expires":"\#(expires)","owner":"Ada"}}"#
        try one.put(flag: "new-ui", String(FlagsInstance.toggle.dropLast()) + metadata)
        #expect(try phases(one) == ["new-ui \(phase)"])
    }

    @Test func `the list names the author of the last change`() throws {
        let one = try instance()
        try one.put(flag: "new-ui", FlagsInstance.toggle)
        let list = try one.call("GET", "/flags").body
        #expect(list.contains(#""updated_by":"test admin","updated_by_name":null"#), "\(list)")
    }
}
