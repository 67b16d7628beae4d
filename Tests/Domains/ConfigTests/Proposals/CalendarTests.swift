import AlmanacJSON
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// Tests the calendar of proposals with a time and of flags that change with the time.
@Suite(.database(.migrated)) struct CalendarTests {
    private let team: ProposalTeam

    init() throws { team = try ProposalTeam() }

    private func items() throws -> [JSONObject] {
        let calendar = try team.call("eve", "GET", "/calendar").expecting(200)
        #expect(calendar[member: "truncated"] == false)
        return try #require(calendar[member: "items"]?.arrayValue).compactMap(\.objectValue)
    }

    @Test func `a proposal with a time is listed with its state, the earliest first`() throws {
        func timed(_ patch: String, day: Int) throws -> Int64 {
            let number = try team.propose(patch)
            let time = #"{"apply_at":"2099-12-\#(day)T09:00:00+01:00","zone":"Europe/Berlin"}"#
            try team.change(number, time, by: "ada").expecting(200)
            return number
        }
        let approved = try timed(#"{"banner":"Winter sale"}"#, day: 24)
        try team.review(approved, "approve", by: "cleo").expecting(201)
        let conflicted = try timed(#"{"pay.limit":150}"#, day: 23)
        try team.release(#"{"pay.limit":120}"#)
        let rejected = try timed(#"{"theme":{"dark":true}}"#, day: 22)
        try team.review(rejected, "reject", by: "dan").expecting(201)
        let open = try timed(#"{"new":1}"#, day: 25)
        let draft = try timed(#"{"other":1}"#, day: 21)
        try team.step("recall", draft, by: "ada").expecting(200)
        let withdrawn = try timed(#"{"gone":1}"#, day: 20)
        try team.step("withdraw", withdrawn, by: "ada").expecting(200)
        _ = try team.propose(#"{"untimed":1}"#)
        let found = try items()
        #expect(
            found.map { "\($0["number"] ?? .null) \($0["state"]?.stringValue ?? "")" } == [
                "\(draft) draft", "\(rejected) blocked", "\(conflicted) conflicted", "\(approved) approved",
                "\(open) open",
            ])
        #expect(found[3]["at"] == "2099-12-24T08:00:00.000Z" && found[3]["zone"] == "Europe/Berlin")
        #expect(found[3]["keys"] == ["banner"] && found[3]["title"] == "Change banner")
        try team.makeDue(approved)
        try team.instance.service.applyDueProposals()
        #expect(try items().count == 4)
    }

    @Test func `ramps and times of flags are listed until they are over`() throws {
        func put(_ key: String, _ rule: String, state: String = "ENABLED") throws {
            let flag =
                #"{"state":"\#(state)","variants":{"on":true,"off":false},"defaultVariant":"off","targeting":\#(rule)}"#
            try team.put(key, #"{"value":\#(flag),"kind":"flag"}"#)
        }
        func ramp(_ start: String, _ end: String) -> String {
            #"{"almanac.ramp":[[["\#(start)T00:00:00Z",10],["\#(end)T00:00:00Z",62.5]],"on","off"]}"#
        }
        try put("running", ramp("2020-01-01", "2099-01-01"))
        try put("ended", ramp("2020-01-01", "2020-02-01"))
        try put("resting", ramp("2020-01-01", "2099-01-01"), state: "DISABLED")
        let date = #"{"almanac.date":[{"var":"$flagd.timestamp"},">=","2098-01-01T00:00:00Z"]}"#
        try team.release(#"{"_flags":{"$evaluators":{"launch":\#(date)}}}"#)
        try put("launched", #"{"if":[{"$ref":"launch"},"on","off"]}"#)
        let texts = try items().map { JSONValue.object($0).description }
        #expect(
            texts == [
                #"{"at":"2020-01-01T00:00:00.000Z","kind":"ramp","key":"running","until":"2099-01-01T00:00:00.000Z","#
                    + #""variant":"on","from":10,"to":62.5}"#,
                #"{"at":"2098-01-01T00:00:00.000Z","kind":"time","key":"launched"}"#,
            ])
        try team.call("eve", "GET", "/calendar?limit=5").expecting(400)
        #expect(try team.call("hal", "GET", "/calendar").outcome == "403 scope-too-small")
    }
}
