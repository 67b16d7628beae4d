import AlmanacTargeting
import Testing

@Suite struct FlagScheduleTests {
    private func times(_ rule: String, from start: Int64 = 0, maxCount: Int = 5) throws -> [Int64] {
        var schedule = FlagSchedule()
        schedule.add(rule: try FlagValue(json: rule))
        var times: [Int64] = []
        while times.count < maxCount, let next = schedule.next(after: times.last ?? start) { times.append(next) }
        return times
    }

    @Test(arguments: [
        // The schedule names the second after each time, when every comparison has changed.
        (#"{"if":[{"almanac.date":[{"var":"$flagd.timestamp"},">=","1970-01-02"]},"on"]}"#, [86_401]),
        (#"{"if":[{"almanac.date":["1970-01-01T00:00:10.5Z","<",{"var":["$flagd.timestamp"]}]},"on"]}"#, [12]),
        (#"{"if":[{"<":[100,{"var":"$flagd.timestamp"},200]},"on"]}"#, [101, 201]),
        (#"{"if":[{"and":[{">":[{"var":"$flagd.timestamp"},50]},{"var":"beta"}]},"on"]}"#, [51]),
        // Values from the caller do not change with time.
        (#"{"if":[{"almanac.date":[{"var":"born"},"<","1970-01-02"]},"on"]}"#, []),
        (#"{"fractional":[["on",50],["off",50]]}"#, []),
        (#"{"if":[{"in":[{"var":"plan"},["pro"]]},"on"]}"#, []),
        (#"{"if":[{"some":[{"var":"roles"},{"==":[{"var":""},"admin"]}]},"on"]}"#, []),
        // Any other use of the time is scheduled every minute.
        (#"{"fractional":[["on",{"-":[{"var":"$flagd.timestamp"},5]}],["off",50]]}"#, [60, 120, 180, 240, 300]),
        (#"{"if":[{"==":[{"%":[{"var":"$flagd.timestamp"},2]},0]},"on"]}"#, [60, 120, 180, 240, 300]),
        (#"{"if":[{"in":["x",{"var":""}]},"on"]}"#, [60, 120, 180, 240, 300]),
        (#"{"if":[{"var":{"var":"which"}},"on"]}"#, [60, 120, 180, 240, 300]),
        // 10 percent in 1000 s is one percent each 100 s. 2 percent in 100 s is limited to one change a minute.
        (#"{"almanac.ramp":[[[1000,0],[2000,10]],"on"]}"#, [1100, 1200, 1300, 1400, 1500]),
        (#"{"almanac.ramp":[{"var":"team"},[[1000,0],[1100,2]],"on","off"]}"#, [1060, 1100]),
        (#"{"almanac.ramp":[[["1970-01-01",50],["1970-01-02",50]],"on"]}"#, []),
        (#"{"almanac.ramp":[[[0,5]],"on"]}"#, []),
    ]) func `the times at which answers may change are known`(rule: String, expected: [Int64]) throws {
        #expect(try times(rule) == expected)
    }

    @Test func `a calendar gets whole ramps and compared times, also from shared rules`() throws {
        let wave = #"{"almanac.ramp":[{"var":"team"},[[500,5],[1000,5],[2000,12.5],[3000,100]],"on","off"]}"#
        let loop = #"{"if":[{"$ref":"loop"},{"$ref":"wave"}]}"#
        let shared = try #require(
            FlagObject([.init("wave", try FlagValue(json: wave)), .init("loop", try FlagValue(json: loop))]))
        var schedule = FlagSchedule()
        let rule =
            #"{"if":[{">":[{"var":"$flagd.timestamp"},50]},{"almanac.ramp":[[[60,30],[90,0]],null]},{"$ref":"loop"}]}"#
        schedule.add(
            definition: try FlagValue(json: #"{"state":"ENABLED","targeting":\#(rule)}"#), sharedRules: shared)
        #expect(schedule.comparedTimes == [50])
        #expect(
            schedule.ramps == [
                FlagSchedule.Ramping(start: 60, end: 90, from: 30_000, to: 0, variant: nil),
                FlagSchedule.Ramping(start: 1000, end: 3000, from: 5000, to: 100_000, variant: "on"),
            ])
        #expect(schedule.next(after: 3000) == nil)
    }

    @Test func `a ramp that is over, and a time that has passed, count no more`() throws {
        #expect(try times(#"{"almanac.ramp":[[[1000,0],[2000,10]],"on"]}"#, from: 1950) == [2000])
        #expect(try times(#"{"almanac.ramp":[[[1000,0],[2000,10]],"on"]}"#, from: 2000) == [])
    }

    @Test func `flags that are switched off, broken or without a rule say nothing about the time`() throws {
        var schedule = FlagSchedule()
        let rule = #""targeting":{"if":[{">":[{"var":"$flagd.timestamp"},50]},"on"]}"#
        for definition in [
            #"{"state":"DISABLED",\#(rule)}"#, #"{"state":"ENABLED"}"#, #"{"state":"ENABLED","targeting":7}"#, "[]",
        ] { schedule.add(definition: try FlagValue(json: definition)) }
        #expect(schedule.isEmpty)
        schedule.add(definition: try FlagValue(json: #"{"state":"ENABLED",\#(rule)}"#))
        #expect(schedule.next(after: 0) == 51)
    }

    @Test func `whatever reads the time by a set's own account is in the schedule, or says nothing of it`() throws {
        for rule in [
            #"{"if":[{"almanac.date":[{"var":"$flagd.timestamp"},">=","1970-01-02"]},"on"]}"#,
            #"{"if":[{"var":["$flagd"]},"on"]}"#, #"{"cat":[{"var":"$flagd.timestamp"}]}"#,
            #"{"almanac.ramp":[[[1000,0],[2000,10]],"on"]}"#,
        ] {
            #expect(try flagSet(rule).readsTime)
            #expect(!(try times(rule)).isEmpty)
        }
    }
}
