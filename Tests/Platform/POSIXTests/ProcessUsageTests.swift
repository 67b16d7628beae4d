import AlmanacPOSIX
import Glibc
import Testing

@Suite struct ProcessUsageTests {
    @Test func `usage is that of this process`() throws {
        let usage = try #require(ProcessUsage.now)
        #expect(usage.residentBytes > 1 << 20 && usage.residentBytes < usage.virtualBytes)
        #expect(usage.threads >= 1)
        #expect(usage.openDescriptors >= 1 && usage.openDescriptors < usage.descriptorLimit)
        // The process started within the last day.
        let now = Double(WallClock.milliseconds) / 1000
        #expect((now - 86_400...now).contains(usage.startTime))
    }

    @Test func `work takes processor time`() throws {
        let before = try #require(ProcessUsage.now)
        let start = MonotonicClock.nanoseconds
        var after = before
        // The loop uses processor time until the system's clock has ticked once.
        while after.cpuSeconds <= before.cpuSeconds, MonotonicClock.nanoseconds - start < 60_000_000_000 {
            after = try #require(ProcessUsage.now)
        }
        #expect(after.cpuSeconds > before.cpuSeconds)
        #expect(after.startTime == before.startTime)
    }
}
