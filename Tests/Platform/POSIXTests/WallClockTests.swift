import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@Suite struct WallClockTests {
    @Test func `the clock shows the time of day`() throws {
        let before = try #require(Int64(Command.run("date", ["+%s%3N"]).output.dropLast()))
        let now = WallClock.milliseconds
        let after = try #require(Int64(Command.run("date", ["+%s%3N"]).output.dropLast()))
        #expect((before...after).contains(now))
    }
}
