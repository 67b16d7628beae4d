import AlmanacMetrics
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct AgeTests {
    @Test func `the age is the time since the database was last asked`() throws {
        let instance = try ConfigInstance()
        let store = instance.service.store
        let start = MonotonicClock.nanoseconds
        try instance.service.refresh()
        #expect(store.age <= MonotonicClock.nanoseconds - start)
        let age = store.age
        #expect(eventually { store.age > age })
    }

    @Test func `an attempt that fails does not make the config younger`() throws {
        let instance = try ConfigInstance()
        let store = instance.service.store
        let start = MonotonicClock.nanoseconds
        let age = store.age
        instance.pool.close()
        #expect(throws: (any Error).self) { try instance.service.refresh() }
        #expect(store.age >= age + MonotonicClock.nanoseconds - start - 1_000_000)
        var page = Exposition()
        instance.service.write(to: &page)
        #expect(page.text.contains("\nalmanac_config_stale{environment=\"development\"} 1\n"))
    }

    @Test func `revision, age and staleness are shown`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        try instance.put("a", "2")
        var page = Exposition()
        instance.service.write(to: &page)
        #expect(page.text.contains("\nalmanac_config_revision{environment=\"development\"} 2\n"))
        #expect(page.text.contains("\nalmanac_config_age_seconds{environment=\"development\"} 0."))
        #expect(page.text.contains("\nalmanac_config_stale{environment=\"development\"} 0\n"))
    }
}
